import { proposalListQuery } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { actsOn, makeProposalWorld, readerOf, refusal } from "../support/proposals.ts";
import { answered } from "../support/world.ts";

const { admin, confirm, hold, kyc, propose, proposals, user, withdraw } = await makeProposalWorld();
const [one, two] = [await user(), await user()];
const both = [one.platformId, two.platformId];
const list = (
  query: object = {},
  { platforms = both as readonly string[] | "all", reader = readerOf("per_grace") } = {},
) => proposals.list(platforms, proposalListQuery.parse(query), reader);
const kindsOf = async (...args: Parameters<typeof list>) =>
  (await list(...args)).proposals.map(({ kind }) => kind);

const relink = await propose(actsOn(one).relink);
const approve = await propose(actsOn(one).approve, { personId: "per_grace" });
const erase = await propose(actsOn(two).erase);
const holdId = await hold(one);
const lift = await propose({ kind: "liftHold", platformId: one.platformId, holdId }, { personId: null });

test("lists proposals of the visible platforms, newest first, as they are shown", async () => {
  const { proposals: listed, nextCursor } = await list();
  expect(listed.map(({ proposalId }) => proposalId)).toEqual(
    [lift, erase, approve, relink].map(({ proposalId }) => proposalId),
  );
  expect(nextCursor).toBeNull();
  // The hold changed the user after this proposal.
  expect(listed.at(-1)).toEqual({ ...relink, state: "void", mayWithdraw: false });
  expect(listed[1]).toEqual({ ...erase, mayConfirm: true });
  expect(await kindsOf({}, { platforms: [two.platformId] })).toEqual(["erase"]);
  expect(await kindsOf({}, { platforms: "all" })).toHaveLength(4);
  expect(await kindsOf({}, { platforms: [] })).toEqual([]);
});

test("counts and lists what waits for the caller", async () => {
  expect(await list({ limit: 1 })).toMatchObject({ waitingForMe: 2 });
  expect(await kindsOf({ waitingForMe: true })).toEqual(["liftHold", "erase"]);
  expect(await kindsOf({ waitingForMe: true }, { reader: readerOf("per_ada") })).toEqual([
    "liftHold",
    "approve",
  ]);
  expect(await list({ waitingForMe: true }, { reader: readerOf(null) })).toEqual({
    proposals: [],
    waitingForMe: 0,
    nextCursor: null,
  });
});

test("lists only the kinds that the caller may decide", async () => {
  const reader = readerOf("per_grace", ["liftHold"]);
  expect(await kindsOf({}, { reader })).toEqual(["liftHold"]);
  expect(await list({}, { reader })).toMatchObject({ waitingForMe: 1 });
  expect(await kindsOf({}, { reader: readerOf("per_grace", []) })).toEqual([]);
});

test("filters by state, record and user", async () => {
  expect(await kindsOf({ state: "open" })).toEqual(["liftHold", "erase", "approve"]);
  expect(await kindsOf({ state: "void" })).toEqual(["relink"]);
  expect(await kindsOf({ kycRecordId: one.kycRecordId })).toEqual(["approve"]);
  expect(await kindsOf({ externalUserId: two.externalUserId })).toEqual(["erase"]);
});

test("pages without gaps or repeats, also of proposals of one moment", async () => {
  await admin("update proposals set proposed_at = '2026-01-31T12:00:00.123456Z' where id <> $1", [
    lift.proposalId,
  ]);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 1, cursor });
    seen.push(...page.proposals.map(({ proposalId }) => proposalId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(4);
  for (const invalid of ["x", Buffer.from("1.2; drop").toString("base64url")])
    expect(await refusal(list({ cursor: invalid }))).toBe("INVALID_INPUT search-cursor");
});

test("shows decided, expired and void proposals as such", async () => {
  await withdraw(approve.proposalId);
  await confirm(lift.proposalId, "per_grace", null);
  await admin("update proposals set expires_at = now() where id = $1", [relink.proposalId]);
  await kyc.storeVerdict(two.platformId, two.record, answered("rejected"));
  for (const [state, kinds] of [
    ["confirmed", ["liftHold"]],
    ["withdrawn", ["approve"]],
    ["expired", ["relink"]],
    ["void", ["erase"]],
    ["open", []],
  ] as const)
    expect(await kindsOf({ state })).toEqual(kinds);
  expect(await list()).toMatchObject({ waitingForMe: 0 });
});
