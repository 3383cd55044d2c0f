import { randomUUID } from "node:crypto";
import { isDeclined, type KycRecord, type KycState, type UserNames } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { aCaller, answered, aRequest, makeWorld } from "../support/world.ts";

/*
 * A user submits or changes to an e-mail that another user may have, in every state of both users. A model defines the
 * expected outcome, and each e-mail has one user (G17).
 */
const world = await makeWorld({ maxConnections: 8 });
const { erasures, kyc, platform, submitted, userAdmin, users } = world;

/** What leads to the state of a user: sub-statuses of the provider, and these. */
const states: Record<string, readonly string[]> = {
  nobody: [],
  imported: ["import"],
  unresolved: ["submit"],
  needsAttention: ["submit", "give up"],
  PENDING: ["submit", "not_submitted"],
  PENDING_APPROVAL: ["submit", "pending_approval"],
  null: ["submit", "on_holiday"],
  APPROVED: ["submit", "approved"],
  refused: ["submit", "refuse"],
  REJECTED: ["submit", "rejected"],
  "refused, without an e-mail": ["submit", "refuse", "lose the e-mail"],
  "refused after an import": ["import", "submit", "refuse"],
  "refused after an approval": ["submit", "approved", "rejected", "submit", "refuse"],
  "REJECTED after an approval": ["submit", "approved", "rejected"],
  "imported, to be erased": ["import", "request erasure"],
  "APPROVED, to be erased": ["submit", "approved", "request erasure"],
  "refused, to be erased": ["submit", "refuse", "request erasure"],
  erased: ["submit", "refuse", "request erasure"],
};
const stateNames = Object.keys(states);

/** A user of the model, from their first submission or import to their erasure. */
interface ModelUser {
  id: string;
  email: string | null;
  latest: Pick<KycState, "resolution" | "status"> | undefined;
  everApproved: boolean;
  imported: boolean;
  erasureRequested: boolean;
}

/** The expected outcome of a submission with a new body, for the user with its memberId and the owner of its e-mail. */
function expectedResult(user: ModelUser | undefined, email: string, owner: ModelUser | undefined) {
  if (user?.erasureRequested) return "USER_ERASURE_PENDING";
  const declined = user?.latest && isDeclined(user.latest);
  if (user?.email && user.email !== email && !declined) return "USER_IDENTITY_CONFLICT";
  if (owner && !losesEmail(owner)) return "USER_IDENTITY_CONFLICT";
  return user?.latest && !declined ? "KYC_ALREADY_SUBMITTED" : "new";
}

/** The expected outcome of a change of the e-mail. */
function expectedChange(user: ModelUser | undefined, email: string, owner: ModelUser | undefined) {
  if (!user) return "USER_NOT_FOUND";
  if (user.erasureRequested) return "USER_ERASURE_PENDING";
  return user.email === email || !owner || losesEmail(owner) ? "changed" : "USER_IDENTITY_CONFLICT";
}

function losesEmail({ latest, everApproved, imported }: ModelUser): boolean {
  const status = latest?.resolution === "refused" ? "refused" : latest?.status;
  return (status === "refused" || status === "REJECTED") && !everApproved && !imported;
}

interface Case {
  user: string;
  owner: string;
  /** The e-mail that the user submits: the user's own, the other user's, or an unused e-mail. */
  brings: "own" | "the owner's" | "a free one";
}
const withoutEmail = "refused, without an e-mail";
const owners = stateNames.filter((name) => !["nobody", withoutEmail].includes(name));
const cases: Case[] = stateNames.flatMap((user) => [
  ...(user === withoutEmail ? [] : [{ user, owner: "nobody", brings: "own" } as const]),
  { user, owner: "nobody", brings: "a free one" },
  ...owners.map((owner): Case => ({ user, owner, brings: "the owner's" })),
]);

/** Leads a user to a state. Returns the user for the model; undefined for one whom no identifier finds. */
async function lead(platformId: string, state: string, names: Required<UserNames>) {
  const steps = states[state] ?? [];
  const did = (step: string) => steps.includes(step);
  let id = "";
  let record: KycRecord | undefined;
  const current = () => record ?? expect.unreachable();
  for (const [index, step] of steps.entries()) {
    if (step === "import") {
      id = `usr_${randomUUID()}`;
      await userAdmin.import(platformId, [{ ...names, externalUserId: id }], aCaller);
    } else if (step === "submit") {
      record = (await submitted({ ...names, occupation: `Job ${index}` }, platformId)).record;
      id = record.externalUserId;
    } else if (step === "give up") {
      const plan = { step: "ask", notFound: 0, delayMs: 0, needsAttention: true } as const;
      await kyc.reschedule(platformId, current(), plan);
    } else if (step === "lose the e-mail") {
      await submitted({ memberId: `taker-${names.memberId}`, email: names.email }, platformId);
    } else if (step === "request erasure") {
      await erasures.request(platformId, id);
    } else {
      const verdict = step === "refuse" ? ({ outcome: "refused" } as const) : answered(step, null, index);
      record = (await kyc.storeVerdict(platformId, current(), verdict)).record;
    }
  }
  if (state === "nobody" || state === "erased") return undefined;
  const facts = { everApproved: did("approved"), imported: did("import") };
  const email = did("lose the e-mail") ? null : names.email;
  return { id, email, latest: record, ...facts, erasureRequested: did("request erasure") };
}

/** Leads both users of every case to their states, on one platform. Who is to be erased comes first. */
async function prepare() {
  const platformId = await platform();
  const prepared = cases.map((each, index) => {
    const own = { memberId: `user-${index}`, email: `own-${index}@example.com` };
    const theirs = { memberId: `owner-${index}`, email: `theirs-${index}@example.com` };
    const emails = { own: own.email, "the owner's": theirs.email, "a free one": `free-${index}@example.com` };
    return { ...each, own, theirs, email: emails[each.brings], models: {} as Record<string, ModelUser> };
  });
  const leadAll = (areErased: boolean) => {
    const leading = prepared.flatMap(({ user, owner, own, theirs, models }) =>
      [["user", user, own] as const, ["owner", owner, theirs] as const]
        .filter(([, state]) => (state === "erased") === areErased)
        .map(async ([role, state, names]) => {
          const model = await lead(platformId, state, names);
          if (model) models[role] = model;
        }),
    );
    return Promise.all(leading);
  };
  await leadAll(true);
  while ((await erasures.eraseDue(1_000)) > 0);
  await leadAll(false);
  return { platformId, prepared };
}

/** Runs every case, and compares its outcome and the users of both e-mails afterwards with the model. */
async function expectModel(
  run: (platformId: string, names: Required<UserNames>) => Promise<string>,
  expected: typeof expectedResult | typeof expectedChange,
) {
  const { platformId, prepared } = await prepare();
  const find = async (name: Parameters<typeof users.find>[1]) =>
    (await users.find(platformId, name))?.externalUserId;
  const check = async ({ user, owner, brings, own, theirs, email, models }: (typeof prepared)[number]) => {
    const outcome = await run(platformId, { memberId: own.memberId, email });
    const code = expected(models.user, email, email === theirs.email ? models.owner : undefined);
    const isMoved = code === "new" || code === "changed";
    const of = `${user} brings ${brings} of ${owner}`;
    expect(`${of}: ${outcome}`).toBe(`${of}: ${code}`);
    const mine = await find({ memberId: own.memberId });
    if (models.user) expect([of, mine]).toEqual([of, models.user.id]);
    if (isMoved) expect([of, await find({ email })]).toEqual([of, mine]);
    else if (models.user?.email) expect([of, await find({ email: own.email })]).toEqual([of, mine]);
    expect([of, await find({ memberId: theirs.memberId })]).toEqual([of, models.owner?.id]);
    if (models.owner && !(isMoved && email === theirs.email))
      expect([of, await find({ email: theirs.email })]).toEqual([of, models.owner.id]);
  };
  await Promise.all(prepared.map(check));
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
