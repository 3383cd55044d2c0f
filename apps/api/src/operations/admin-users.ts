import {
  exactlyOneName,
  Failure,
  relinkUserInput,
  someNewName,
  toIdentifier,
  type UserFacts,
  userFacts,
  userQuery,
  userReference,
} from "@cardbridge/domain";
import { defineOperation } from "./operation.ts";
import type { AdminPorts } from "./ports.ts";

const example: UserFacts = {
  platformId: "plt_01jexample0000000000000000",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  createdAt: "2026-01-31T12:00:00.000Z",
  erasure: "none",
  records: [
    {
      kycRecordId: "kyc_01jexample0000000000000000",
      settlement: "answered",
      status: "APPROVED",
      createdAt: "2026-01-31T12:00:00.000Z",
    },
  ],
};
const reference = { platformId: example.platformId, externalUserId: example.externalUserId };
const errors = ["PLATFORM_NOT_FOUND", "USER_NOT_FOUND"] as const;
const outcomes = ["done", ...errors] as const;
const shared = { documented: false, scope: "admin", output: userFacts, errors } as const;

/** Shows a user by ids and statuses, named as the platform names them (gap G17) or by our own id. */
export const showUser = defineOperation({
  ...shared,
  id: "admin.users.show",
  kind: "query",
  summary: "Show a user",
  description: "Shows a user's records and whether they are to be erased: ids and statuses, never a name.",
  input: userQuery,
  rules: [exactlyOneName],
  example: { input: reference, output: example },
  noted: { act: "user.show", outcomes },

  async run({ platforms, userAdmin }: AdminPorts, _call, { platformId, externalUserId, ...names }) {
    await known(platforms, platformId);
    const name = externalUserId === undefined ? toIdentifier(names) : { externalUserId };
    return about(await userAdmin.show(platformId, name), { platformId });
  },
});

/** Corrects a user's e-mail or member id (gap G17). */
export const relinkUser = defineOperation({
  ...shared,
  id: "admin.users.relink",
  kind: "mutation",
  summary: "Correct a user's names",
  description:
    "Gives a user another e-mail, another member id, or both. The user's id and cards stay, and records stay as " +
    "they were submitted. What is another user's is refused.",
  input: relinkUserInput,
  rules: [someNewName],
  example: { input: { ...reference, email: "erin@example.com" }, output: example },
  errors: [...errors, "USER_IDENTITY_CONFLICT"],
  noted: { act: "user.relink", outcomes: [...outcomes, "USER_IDENTITY_CONFLICT"] },

  async run({ platforms, userAdmin }: AdminPorts, _call, { platformId, externalUserId, ...names }) {
    await known(platforms, platformId);
    return about(await userAdmin.relink(platformId, externalUserId, names), { platformId });
  },
});

/** Asks for a user's erasure (gap G26). */
export const eraseUser = defineOperation({
  ...shared,
  id: "admin.users.erase",
  kind: "mutation",
  summary: "Erase a user",
  description:
    "Asks for a user's erasure, for good. A worker erases them within a minute or two, once none of their records " +
    "is unsettled. Until then new submissions are refused.",
  input: userReference,
  rules: [],
  example: { input: reference, output: { ...example, erasure: "requested" } },
  noted: { act: "user.erase", outcomes },

  async run({ platforms, userAdmin, erasures }: AdminPorts, _call, { platformId, externalUserId }) {
    await known(platforms, platformId);
    const asked = await erasures.request(platformId, externalUserId);
    return about(asked ? await userAdmin.show(platformId, { externalUserId }) : null, { platformId });
  },
});

async function known(platforms: AdminPorts["platforms"], platformId: string): Promise<void> {
  if (!(await platforms.exists(platformId))) throw new Failure("PLATFORM_NOT_FOUND");
}

/** The audit of the user's platform keeps it, under our own id of the user. */
function about(found: UserFacts | null, { platformId }: { platformId: string }) {
  if (!found) throw new Failure("USER_NOT_FOUND", { about: { platformId } });
  return { data: found, subject: found.externalUserId, platformId };
}
