import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aCaller, answered, aRequest, makeWorld, someone } from "../support/world.ts";

/*
 * Concurrent submissions and changes for one e-mail (G17): the database decides their order, and the outcome equals
 * that of the same calls in sequence.
 */
const { kyc, platform, rowsOf, submitted, userAdmin, users } = await makeWorld({ maxConnections: 10 });
const rounds = Array.from({ length: 8 }, (_, round) => round);
const [one, two] = ["one@example.com", "two@example.com"];
const ada = { memberId: "ada", email: one };
const bob = { memberId: "bob", email: two };

/** Creates a platform on which these users' latest submissions were refused. */
async function refusedUsers(...names: { memberId: string; email: string }[]) {
  const platformId = await platform();
  for (const name of names) {
    const { record } = await submitted(name, platformId);
    await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  }
  return platformId;
}

const outcomeOf = (work: Promise<{ kind: string } | object | null>) =>
  work.then(
    (result) => (result && "kind" in result ? result.kind : "changed"),
    ({ code }) => code as string,
  );
const submit = (platformId: string, names: { memberId: string; email: string }) =>
  outcomeOf(kyc.createOrReplay(platformId, aRequest({ ...names, occupation: randomUUID() })));
const change = (platformId: string, names: { memberId: string; email: string }) =>
  outcomeOf(users.changeEmail(platformId, names, aCaller));
const ownerOf = async (platformId: string, email: string) =>
  (await users.find(platformId, { email }))?.externalUserId;
const idOf = async (platformId: string, memberId: string) =>
  (await users.find(platformId, { memberId }))?.externalUserId;

/** Runs the calls at once. Returns their outcomes and the memberId that has each e-mail. */
async function race(platformId: string, ...calls: (() => Promise<string>)[]) {
  const outcomes = await Promise.all(calls.map((call) => call()));
  const names = ["ada", "bob", "eve"];
  const ids = await Promise.all(names.map((name) => idOf(platformId, name)));
  const owners = await Promise.all(
    [one, two].map(async (email) => {
      const owner = await ownerOf(platformId, email);
      return owner && names[ids.indexOf(owner)];
    }),
  );
  const live = (await rowsOf("kyc_records", platformId)).filter(
    ({ resolution }) => resolution === "unresolved",
  );
  expect(new Set(live.map(({ user_id }) => user_id)).size, "Each user has one live record.").toBe(
    live.length,
  );
  return { outcomes, owners };
}

test.each(rounds)("one of three new users gets the e-mail of a refused user (%i)", async () => {
  const platformId = await refusedUsers(ada);
  const takers = ["bob", "eve", "mia"].map((memberId) => () => submit(platformId, { memberId, email: one }));
  const { outcomes } = await race(platformId, ...takers);
  expect(outcomes.sort()).toEqual(["USER_IDENTITY_CONFLICT", "USER_IDENTITY_CONFLICT", "new"]);
  expect(await rowsOf("users", platformId)).toHaveLength(2);
});

test.each(rounds)("either a new user or the refused owner of the e-mail gets it (%i)", async () => {
  const platformId = await refusedUsers(ada);
  const { outcomes, owners } = await race(
    platformId,
    () => submit(platformId, ada),
    () => submit(platformId, { memberId: "bob", email: one }),
  );
  const isAda = outcomes[0] === "new";
  expect(outcomes).toEqual(isAda ? ["new", "USER_IDENTITY_CONFLICT"] : ["USER_IDENTITY_CONFLICT", "new"]);
  expect(owners).toEqual([isAda ? "ada" : "bob", undefined]);
});

test.each(rounds)("two users swap their e-mails (%i)", async () => {
  const platformId = await refusedUsers(ada, bob);
  const { outcomes, owners } = await race(
    platformId,
    () => submit(platformId, { ...ada, email: two }),
    () => submit(platformId, { ...bob, email: one }),
  );
  expect(outcomes).toEqual(["new", "new"]);
  expect(owners).toEqual(["bob", "ada"]);
});

test.each(rounds)("either a change or a submission gets an e-mail (%i)", async () => {
  const platformId = await refusedUsers(ada, bob);
  const third = "third@example.com";
  const { outcomes } = await race(
    platformId,
    () => change(platformId, { ...ada, email: third }),
    () => submit(platformId, { ...bob, email: third }),
  );
  // The second call takes it from a refused user, or conflicts with the open submission.
  const owner = await ownerOf(platformId, third);
  expect(owner).toBe(await idOf(platformId, "bob"));
  expect(outcomes).toEqual([expect.stringMatching(/changed|USER_IDENTITY_CONFLICT/), "new"]);
});

test.each(rounds)(
  "an approved user keeps the e-mail, or the approval is reported as without an e-mail (%i)",
  async () => {
    const { platformId, record, about } = await submitted(ada);
    await kyc.storeVerdict(platformId, record, { outcome: "refused" });
    const [taken, approval] = await Promise.all([
      submit(platformId, { memberId: "bob", email: one }),
      kyc.recordProviderUpdate(about, answered("approved")),
    ]);
    expect(approval?.record.status).toBe("APPROVED");
    expect([taken, approval?.approvedWithoutEmail]).toEqual(
      taken === "new" ? ["new", true] : ["USER_IDENTITY_CONFLICT", false],
    );
  },
);

test("300 submissions concurrent with relinks conflict with the relinked user's record or create a new user", async () => {
  const { platformId, externalUserId } = await submitted(someone(0));
  for (let round = 0; round < 30; round += 1) {
    const relinked = userAdmin.relink(platformId, externalUserId, someone(round + 1));
    const submit = () => kyc.createOrReplay(platformId, aRequest(someone(round))).catch(({ code }) => code);
    const outcomes = await Promise.all(Array.from({ length: 10 }, submit));
    await relinked;
    // Submissions before the relink conflict with the user's open record. Later ones share one new user's record.
    const refusals = outcomes.filter((outcome) => typeof outcome === "string");
    expect(refusals.filter((code) => code !== "KYC_ALREADY_SUBMITTED")).toEqual([]);
    expect(outcomes.filter(({ kind }) => kind === "new").length).toBeLessThanOrEqual(1);
  }
  const records = await rowsOf("kyc_records", platformId);
  expect(new Set(records.map(({ user_id }) => user_id)).size).toBe(records.length);
});
