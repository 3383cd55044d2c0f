import { changedUser, eraseUserInput, Failure, type Policies } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { appendEntry } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import type { ConfirmedAct } from "../proposals/acts.ts";
import { propose } from "../proposals/propose.ts";
import { exampleUser, exampleUserReference, readUser, requireVersion } from "./user.ts";

/** Requests a user's erasure (gap G26). */
export const eraseUser = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.users.write"),
    recentSignIn: true,
    id: "users.erase",
    kind: "write",
    summary: "Erase a user",
    description:
      "Requests a user's irreversible erasure. A worker erases the user within two minutes after all their records are " +
      "resolved and no legal hold covers the user (`held`). Until then the service refuses new submissions. The erasure is " +
      "only proposed, and another person confirms it, unless FOUR_EYES is off.",
    input: eraseUserInput,
    rules: [],
    output: changedUser,
    example: {
      input: exampleUserReference,
      output: { ...exampleUser, erasure: "requested", proposal: null },
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "PROPOSAL_CONFLICT"],
    // A proposal is audited in its transaction.
    audit: [...(fourEyes ? [] : (["done"] as const)), "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

    async run(ports, call, { platformId, externalUserId, version, note }) {
      const read = () => readUser(ports, platformId, { externalUserId });
      if (fourEyes) {
        const act = { kind: "erase" as const, externalUserId };
        const proposal = await propose(ports, call, { act, version, note });
        return { data: { ...(await read()), proposal }, subject: externalUserId };
      }
      if (version !== undefined) requireVersion(await read(), version);
      const isRequested = await requestErasure(ports, platformId, externalUserId);
      if (!isRequested) throw new Failure("USER_NOT_FOUND");
      return { data: { ...(await read()), proposal: null }, subject: externalUserId };
    },
  });

/** Requests the erasure of a user; false if the platform has no such user, or the user is erased. */
export function requestErasure(
  { database }: Pick<Ports, "database">,
  platformId: string,
  externalUserId: string,
): Promise<boolean> {
  return database.asPlatform<boolean>(platformId, async (tx) =>
    pipelineCommit([request(tx, platformId, externalUserId)], ([rows]) => rows.length > 0),
  );
}

/** Requests an erasure as two persons decided, in the transaction of the confirmation, and audits it. */
export async function eraseConfirmed(
  tx: Tx,
  _keys: PersonalDataKeys,
  { row: { platformId, externalUserId }, by }: ConfirmedAct,
): Promise<null> {
  await request(tx, platformId, externalUserId);
  await appendEntry(tx, platformId, { ...by, subject: externalUserId, outcome: "done" });
  return null;
}

function request(tx: Tx, platformId: string, externalUserId: string) {
  return tx
    .update(users)
    .set({ eraseRequestedAt: sql`coalesce(${users.eraseRequestedAt}, clock_timestamp())` })
    .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId), isNull(users.erasedAt)))
    .returning({ id: users.id });
}
