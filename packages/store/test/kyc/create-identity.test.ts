import type { UserNames } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { blindIndex } from "../../src/encryption/blind-index.ts";
import { expectedChange, expectedResult, type ModelUser, newUser } from "../support/identity-model.ts";
import { insertUsers, type PreparedUser } from "../support/prepared-users.ts";
import { aCaller, aRequest, makeWorld, personalDataKeysOf } from "../support/world.ts";

/*
 * A user submits or changes to an e-mail that another user may have, in every state of both users. A model defines the
 * expected outcome (G17).
 */
const { kyc, platform, rowsOf, urls, users } = await makeWorld({ maxConnections: 4 });
const personalDataKeys = personalDataKeysOf(1);

type State = Omit<PreparedUser, "memberId" | "email">;

const answered = (status: string | null): State => ({ resolution: "answered", status });
const refused: State = { resolution: "refused" };
const states: Record<string, State | undefined> = {
  nobody: undefined,
  imported: { imported: true },
  unresolved: { resolution: "unresolved" },
  needsAttention: { resolution: "unresolved", needsAttention: true },
  PENDING: answered("PENDING"),
  PENDING_APPROVAL: answered("PENDING_APPROVAL"),
  null: answered(null),
  APPROVED: answered("APPROVED"),
  refused,
  REJECTED: answered("REJECTED"),
  "refused after an import": { ...refused, imported: true },
  "refused after an approval": { ...refused, everApproved: true },
  "REJECTED after an approval": { ...answered("REJECTED"), everApproved: true },
  "imported, to be erased": { imported: true, erasureRequested: true },
  "APPROVED, to be erased": { ...answered("APPROVED"), erasureRequested: true },
  "refused, to be erased": { ...refused, erasureRequested: true },
  erased: { ...refused, erased: true },
};
const stateNames = Object.keys(states);

interface Case {
  user: string;
  owner: string;
  /** The e-mail that the user submits: the user's own, the other user's, or an unused e-mail. */
  brings: "own" | "the owner's" | "a free one";
}
const cases: Case[] = stateNames.flatMap((user) => [
  { user, owner: "nobody", brings: "own" },
  { user, owner: "nobody", brings: "a free one" },
  ...stateNames.slice(1).map((owner): Case => ({ user, owner, brings: "the owner's" })),
]);

/** The user of a state for the model; undefined for an erased user, whom no identifier finds. */
function modelOf(state: string, email: string): ModelUser | undefined {
  const { resolution, status, erased, ...facts } = states[state] ?? { erased: true };
  if (erased) return undefined;
  const latest = resolution && { resolution, status: (status ?? null) as "PENDING" | null };
  return { ...newUser, email, ...facts, everApproved: facts.everApproved || status === "APPROVED", latest };
}

/** Inserts both users of every case on one platform. */
async function prepare() {
  const platformId = await platform();
  const prepared = cases.map((each, index) => {
    const own = `own-${index}@example.com`;
    const theirs = `theirs-${index}@example.com`;
    const email = { own, "the owner's": theirs, "a free one": `free-${index}@example.com` }[each.brings];
    return { ...each, memberId: `user-${index}`, ownerId: `owner-${index}`, own, theirs, email };
  });
  const rows = prepared.flatMap(({ user, owner, memberId, ownerId, own, theirs }) => [
    ...(states[user] ? [{ memberId, email: own, ...states[user] }] : []),
    ...(states[owner] ? [{ memberId: ownerId, email: theirs, ...states[owner] }] : []),
  ]);
  await insertUsers(urls.adminUrl, platformId, rows);
  return { platformId, prepared };
}

/** Runs every case, four at a time, and compares its outcome and the users' identifiers afterwards with the model. */
async function expectModel(
  run: (platformId: string, names: UserNames) => Promise<string>,
  expected: typeof expectedResult | typeof expectedChange,
) {
  const { platformId, prepared } = await prepare();
  const outcomes: string[] = [];
  const left = prepared.entries();
  const runNext = async () => {
    for (const [index, { memberId, email }] of left)
      outcomes[index] = await run(platformId, { memberId, email });
  };
  await Promise.all([runNext(), runNext(), runNext(), runNext()]);

  const emailOf = await readEmails(platformId);
  for (const [index, { user, owner, brings, memberId, ownerId, own, theirs, email }] of prepared.entries()) {
    const [userModel, ownerModel] = [modelOf(user, own), modelOf(owner, theirs)];
    const code = expected(userModel, email, email === theirs ? ownerModel : undefined);
    const isMoved = code === "new" || code === "changed";
    const of = `${user} brings ${brings} of ${owner}`;
    expect(`${of}: ${outcomes[index]}`).toBe(`${of}: ${code}`);
    const hasLost = isMoved && email === theirs;
    expect([of, emailOf(memberId), emailOf(ownerId)]).toEqual([
      of,
      indexOf(platformId, isMoved ? email : userModel?.email),
      indexOf(platformId, hasLost ? ownerModel && null : ownerModel?.email),
    ]);
  }
}

const hexOf = (index: Buffer) => index.toString("hex");

/** The index of an e-mail; null without an e-mail, undefined without a user. */
function indexOf(platformId: string, email: string | null | undefined) {
  return email ? hexOf(blindIndex(personalDataKeys, platformId, { email })) : email;
}

/** Reads each user's e-mail, both as indexes. */
async function readEmails(platformId: string) {
  const rows = (await rowsOf("users", platformId)) as Record<
    "member_id_index" | "email_index",
    Buffer | null
  >[];
  const emails = new Map(
    rows.flatMap(({ member_id_index: name, email_index: email }) =>
      name ? [[hexOf(name), email && hexOf(email)]] : [],
    ),
  );
  return (memberId: string) => emails.get(hexOf(blindIndex(personalDataKeys, platformId, { memberId })));
}

const codeOf = (error: { code: string }) => error.code;

test(`a submission in ${cases.length} states of two users has the outcome that the model expects`, () =>
  expectModel(
    (id, names) =>
      kyc.createOrReplay(id, aRequest({ ...names, occupation: "Poet" })).then(({ kind }) => kind, codeOf),
    expectedResult,
  ));

test(`a change of the e-mail in ${cases.length} states of two users has the outcome that the model expects`, () =>
  expectModel(
    (id, names) =>
      users.changeEmail(id, names, aCaller).then((user) => (user ? "changed" : "USER_NOT_FOUND"), codeOf),
    expectedChange,
  ));
