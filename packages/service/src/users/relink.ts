import { changedUser, Failure, type Policies, relinkUserInput, someNewName } from "@cardbridge/domain";
import { isUniqueViolation } from "../database/errors.ts";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { appendEntry } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import type { ConfirmedAct } from "../proposals/acts.ts";
import { propose } from "../proposals/propose.ts";
import { changeNames } from "./change-names.ts";
import { exampleUser, exampleUserReference, readUser, requireVersion } from "./user.ts";

/** Corrects a user's e-mail or member id (gap G17). */
export const relinkUser = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.users.write"),
    id: "users.relink",
    kind: "write",
    summary: "Correct a user's identifiers",
    description:
      "Replaces a user's e-mail, member id, or both. The user's id, cards and submitted records stay unchanged. The " +
      "service refuses an identifier that another user has. The change is only proposed, and another person confirms it, " +
      "unless FOUR_EYES is off.",
    input: relinkUserInput,
    rules: [someNewName],
    output: changedUser,
    example: {
      input: { ...exampleUserReference, email: "erin@example.com" },
      output: { ...exampleUser, proposal: null },
    },
    errors: ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND", "USER_IDENTITY_CONFLICT", "PROPOSAL_CONFLICT"],
    // A proposal is audited in its transaction.
    audit: [
      ...(fourEyes ? [] : (["done"] as const)),
      "PLATFORM_NOT_FOUND",
      "USER_NOT_FOUND",
      "USER_IDENTITY_CONFLICT",
    ],

    async run(ports, call, { externalUserId, version, note, platformId, ...names }) {
      const owner = { platformId, userId: externalUserId };
      const read = () => readUser(ports, platformId, { externalUserId });
      if (fourEyes) {
        const act = { kind: "relink" as const, externalUserId, names };
        const proposal = await propose(ports, call, { act, version, note });
        return { data: { ...(await read()), proposal }, subject: externalUserId };
      }
      if (version !== undefined) requireVersion(await read(), version);
      const keys = await ports.personalDataKeys();
      const relinked = ports.database.asPlatform(platformId, (tx) => changeNames(tx, keys, owner, names));
      const isRelinked = await relinked.catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new Failure("USER_IDENTITY_CONFLICT", { subject: externalUserId });
      });
      if (!isRelinked) throw new Failure("USER_NOT_FOUND");
      return { data: { ...(await read()), proposal: null }, subject: externalUserId };
    },
  });

/** Relinks a user as two persons decided, in the transaction of the confirmation, and audits it. */
export async function relinkConfirmed(
  tx: Tx,
  keys: PersonalDataKeys,
  { row: { platformId, externalUserId }, payload, by }: ConfirmedAct,
): Promise<null> {
  await changeNames(tx, keys, { platformId, userId: externalUserId }, payload?.names ?? {});
  await appendEntry(tx, platformId, { ...by, subject: externalUserId, outcome: "done" });
  return null;
}
