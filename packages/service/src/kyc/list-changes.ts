import {
  type KycChangeEvent,
  kycChangeListQuery,
  kycChangePage,
  maxChangesOfPage,
  toKycUpdated,
} from "@cardbridge/domain";
import { and, asc, count, eq, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { kycHistory, kycRecords } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { oldestRunning, readChanges } from "./changes.ts";
import { exampleSubmission } from "./example.ts";

const { placeholder } = sql;
const { kycRecordId, externalUserId, cardAccountId } = exampleSubmission.output;

/** Reads a page of a platform's KYC changes (an extension, gap G24). The subscription kyc.changes sends these pages. */
export const listKycChanges = defineOperation({
  ...forPlatforms,
  id: "kyc.listChanges",
  kind: "read",
  summary: "Read the KYC changes after a position",
  description:
    "Reads the platform's KYC changes after a position, in the order of their commits, without gaps. Without a " +
    "position, it returns the current position and no changes.",
  documented: false,
  scopes: ["kyc:read"],
  input: kycChangeListQuery,
  rules: [],
  output: kycChangePage,
  example: {
    input: { lastEventId: "81234-0" },
    output: {
      changes: [
        {
          id: "81240-52",
          type: "kyc.updated",
          environment: "test",
          timestamp: "2026-01-31T12:00:01.000Z",
          data: {
            kycRecordId,
            externalUserId,
            sequence: 2,
            code: "KYC_SUBMITTED",
            status: "APPROVED",
            subStatus: "approved",
            cardAccountId,
            reasons: [],
          },
        },
      ],
      lastEventId: "81250-0",
      more: false,
    },
  },
  errors: [],
  // Not audited: a page has no personal data, and every subscriber reads one per second.
  audit: [],

  async run({ database, environment }, { platformId }, { lastEventId, cursor = lastEventId }) {
    const data = await readChanges(
      {
        within: (work) => database.asPlatform(platformId, work),
        select: (tx, txid, id) => statements(tx).changes.execute({ platformId, txid, id }),
        toChange: ({ observedAt, state, event: stored, ...ids }) => {
          const event = { environment, timestamp: observedAt.toISOString() };
          if (stored === null) {
            return { ...event, type: "kyc.updated" as const, data: toKycUpdated(ids, state) };
          }
          const { type, ...data } = stored;
          return { ...event, type, data: { ...ids, ...data } } as KycChangeEvent;
        },
      },
      cursor,
    );
    return { data };
  },
});

const statements = perConnection((tx) => {
  const position = sql`(${kycHistory.txid}, ${kycHistory.id})`;
  const isAfter = sql`${position} > (${placeholder("txid")}::bigint, ${placeholder("id")}::bigint)`;
  const earlier = alias(kycHistory, "earlier");
  const isEarlier = and(
    eq(earlier.platformId, kycHistory.platformId),
    eq(earlier.recordId, kycHistory.recordId),
    lte(earlier.id, kycHistory.id),
  );
  return {
    // Writers lock the record, so the ids of its history rows are in the order of its changes.
    changes: tx
      .select({
        txid: kycHistory.txid,
        id: kycHistory.id,
        observedAt: kycHistory.observedAt,
        kycRecordId: kycHistory.recordId,
        externalUserId: kycRecords.userId,
        sequence: sql<number>`(${tx.select({ count: count() }).from(earlier).where(isEarlier)})::int`,
        event: kycHistory.event,
        state: {
          resolution: kycHistory.resolution,
          status: kycHistory.status,
          subStatus: kycHistory.subStatus,
          cardAccountId: kycHistory.cardAccountId,
          revision: kycHistory.revision,
          explanation: kycHistory.explanation,
        },
      })
      .from(kycHistory)
      .innerJoin(
        kycRecords,
        and(eq(kycRecords.platformId, kycHistory.platformId), eq(kycRecords.id, kycHistory.recordId)),
      )
      .where(
        and(
          eq(kycHistory.platformId, placeholder("platformId")),
          isAfter,
          sql`${kycHistory.txid} < ${oldestRunning}`,
        ),
      )
      .orderBy(asc(kycHistory.txid), asc(kycHistory.id))
      .limit(maxChangesOfPage + 1)
      .prepare("kyc_changes"),
  };
});
