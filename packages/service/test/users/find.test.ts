import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { blindIndex } from "../../src/encryption/blind-index.ts";
import { findUsers, selectNamed } from "../../src/users/find.ts";
import { personCall } from "../support/calls.ts";
import { explain } from "../support/plan.ts";
import { makeSearchable } from "../support/searchable.ts";
import { answered, personalDataKeysOf } from "../support/world.ts";

const { admin, database, holds, kyc, platform, submitted, ports } = await makeSearchable();
const [one, two, three] = [await platform(), await platform(), await platform()];
const mine = await submitted({ memberId: "m-1", email: "Ada@example.com" }, one);
const theirs = await submitted({ memberId: "m-1", email: "ada@example.com" }, two);
await submitted({ memberId: "m-2", email: "eve@example.com" }, three);
await kyc.storeVerdict(two, theirs.record, answered("approved", "acct_theirs"));

const find = async (platforms: readonly string[] | "all", name: object) =>
  (await findUsers.execute(ports, personCall(["ops.users.read"], { platforms }), name)).data.users;
const ids = async (...query: Parameters<typeof find>) =>
  (await find(...query)).map(({ platformId, externalUserId }) => [platformId, externalUserId]);
const both = [
  [one, mine.externalUserId],
  [two, theirs.externalUserId],
];

test("users are found by each of their names, on the given platforms only", async () => {
  for (const name of [{ email: "ADA@example.com" }, { memberId: "m-1" }]) {
    expect(await ids([one, two, three], name)).toEqual(both);
    expect(await ids("all", name)).toEqual(both);
    expect(await ids([two, three], name)).toEqual(both.slice(1));
    expect(await ids([], name)).toEqual([]);
  }
  for (const name of [{ externalUserId: theirs.externalUserId }, { cardAccountId: "acct_theirs" }]) {
    expect(await ids("all", name)).toEqual(both.slice(1));
    expect(await ids([two], name)).toEqual(both.slice(1));
    expect(await ids([one, three], name)).toEqual([]);
  }
  expect(await ids("all", { email: "nobody@example.com" })).toEqual([]);
});

test("a found user has ids and states, and no personal data", async () => {
  await holds.place(one, { externalUserId: mine.externalUserId });
  await admin("update users set erase_requested_at = now() where id = $1", [theirs.externalUserId]);
  const facts = { platformName: "A platform", createdAt: expect.any(String) };
  expect(await find("all", { memberId: "m-1" })).toEqual([
    { platformId: one, externalUserId: mine.externalUserId, ...facts, erasure: "none", held: true },
    { platformId: two, externalUserId: theirs.externalUserId, ...facts, erasure: "requested", held: false },
  ]);
});

test("a name on 200 platforms is one look-up in the unique index for each of them", async () => {
  await admin(
    `insert into platforms (id, name) select 'plt_many_' || n, 'A platform' from generate_series(1, 200) as n`,
  );
  await admin(
    `insert into users (id, platform_id, member_id_index, encrypted, data_key, key_version)
     select 'usr_many_' || n, 'plt_many_' || 1 + n % 200, n::text::bytea, '', '', 1 from generate_series(1, 20000) as n`,
  );
  const personalDataKeys = personalDataKeysOf(1);
  const platforms = Array.from({ length: 200 }, (_, index) => `plt_many_${index + 1}`);
  const memberId = "m-many";
  await admin(
    `update users set member_id_index = name from unnest($1::text[], $2::bytea[]) as named (platform_id, name)
     where id = (select min(id) from users as u where u.platform_id = named.platform_id)`,
    [platforms, platforms.map((platformId) => blindIndex(personalDataKeys, platformId, { memberId }))],
  );
  const read = await explain(database, platforms, selectNamed(personalDataKeys, platforms, { memberId }));
  expect(read.users).toEqual([{ index: "users_member", rows: 200 }]);
  expect(await find(platforms, { memberId })).toHaveLength(200);
});

test("a card account is found by its index", async () => {
  const statement = sql`select user_id from kyc_records where card_account_id = 'acct_theirs'`;
  expect((await explain(database, "all", statement)).kyc_records).toEqual([
    { index: "kyc_records_of_card", rows: 1 },
  ]);
});
