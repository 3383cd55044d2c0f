import {
  endsLater,
  exactlyOneHeld,
  Failure,
  type LegalHold,
  legalHold,
  type Policies,
  placeHoldInput,
} from "@cardbridge/domain";
import { and, eq, inArray } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { holdColumns } from "../database/schema/holds.ts";
import { kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "../users/user.ts";
import { exampleHold, heldBy, selectHold } from "./hold.ts";

/** The insertable columns of holds. Drizzle's insert lists every column of its table, granted or not. */
const newHolds = pgTable("holds", holdColumns());

/** Places a legal hold on a user or on a record (gap G39). */
export const placeHold = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.compliance"),
    id: "holds.place",
    kind: "write",
    summary: "Place a legal hold",
    description:
      "Places a legal hold on a user or on a record. While a hold is active, the user is not erased, and no record, " +
      "history or webhook delivery that it covers is swept. A requested erasure waits.",
    input: placeHoldInput,
    rules: [exactlyOneHeld, endsLater(now)],
    output: legalHold,
    example: {
      input: { ...exampleUserReference, reference: exampleHold.reference },
      output: exampleHold,
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
    audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],

    async run({ ids, database }, call, { externalUserId, kycRecordId, reference, until = null }) {
      const { platformId } = call;
      const holdId = ids.holdId();
      const placed = await database.asPlatform<LegalHold | undefined>(platformId, async (tx) => {
        const userOfRecord = tx
          .select({ id: kycRecords.userId })
          .from(kycRecords)
          .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId ?? "")));
        const isHeld =
          externalUserId === undefined ? inArray(users.id, userOfRecord) : eq(users.id, externalUserId);
        // erase_users locks its users: the hold is placed before its check, or after the erasure.
        const [user] = await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.platformId, platformId), isHeld))
          .for("key share");
        if (!user) return undefined;
        const inserted = tx.insert(newHolds).values({
          id: holdId,
          platformId,
          userId: user.id,
          recordId: kycRecordId ?? null,
          reference,
          until: until === null ? null : new Date(until),
          placedBy: actorOf(call),
        });
        return pipelineCommit([inserted, selectHold(tx, platformId, holdId)], ([, rows]) => rows[0]);
      });
      if (placed) return { data: placed, subject: heldBy(placed) };
      throw new Failure(kycRecordId === undefined ? "USER_NOT_FOUND" : "KYC_RECORD_NOT_FOUND");
    },
  });
