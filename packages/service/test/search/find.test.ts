import type { FoundThing, OperatorScope } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { findAnything } from "../../src/search/find.ts";
import { personCall } from "../support/calls.ts";
import { rowsRead } from "../support/rows-read.ts";
import { makeSearchable } from "../support/searchable.ts";
import { answered } from "../support/world.ts";

const { admin, adminUrl, database, kyc, platform, submitted, ports } = await makeSearchable({
  maxConnections: 1,
});
const [one, two] = [await platform(), await platform()];
const ada = await submitted({ memberId: "m-1", email: "Ada@example.com" }, one);
const eve = await submitted({ memberId: "m-1", email: "eve@example.com" }, two);
await kyc.storeVerdict(two, eve.record, answered("approved", "acct_eve"));
await admin("update platforms set name = 'Harbour 100%' where id = $1", [two]);
await admin(
  `insert into webhook_endpoints (id, platform_id, event_types, description, encrypted, data_key, key_version)
   values ('whe_01m8aaaaaaaaaaaaaaaaaaata0x', $1, '{kyc.updated}', 'Ledger of the harbour', '', '', 1)`,
  [two],
);
await admin(
  `insert into webhook_events (id, platform_id, type, data) values ('msg_1', $1, 'webhook.test', '{}')`,
  [two],
);
await admin(
  `insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, status)
   values ('whd_0123456789abcdef', $1, 'whe_01m8aaaaaaaaaaaaaaaaaaata0x', 'msg_1', 'failed')`,
  [two],
);
await admin(
  `insert into audit_entries (platform_id, actor, operation, subject, outcome, request_id)
   values ($1, 'key_1', 'kyc.submit', $2, 'done', 'req_found')`,
  [two, eve.record.kycRecordId],
);

const all: OperatorScope[] = ["ops.users.read", "ops.records.read", "ops.webhooks", "ops.platforms"];
async function find(
  text: string,
  {
    platforms = "all",
    scopes = all,
  }: { platforms?: readonly string[] | "all"; scopes?: OperatorScope[] } = {},
): Promise<FoundThing[]> {
  return (await findAnything.execute(ports, personCall(scopes, { platforms }), { text })).data.results;
}
const short = (id: string) => id.replace(/^([a-z]+_.{4}).*(.{4})$/, "$1…$2");
const user = ({ externalUserId }: { externalUserId: string }) => ({ kind: "user", externalUserId });

test("a user is found by e-mail, member id, card account and id, with the latest record", async () => {
  for (const text of ["ADA@example.com", ` ${ada.externalUserId} `, short(ada.externalUserId)]) {
    expect(await find(text)).toMatchObject([user(ada)]);
  }
  expect(await find("m-1")).toMatchObject([user(ada), user(eve)]);
  expect(await find("acct_eve")).toMatchObject([
    { ...user(eve), latest: { status: "APPROVED", kycRecordId: eve.record.kycRecordId } },
  ]);
  expect(await find("da@example.com")).toEqual([]);
});

test("a record is found by its id, whole or shortened with an ellipsis or three dots", async () => {
  const { kycRecordId } = eve.record;
  for (const text of [kycRecordId, short(kycRecordId), short(kycRecordId).replace("…", "...")]) {
    expect(await find(text)).toMatchObject([{ kind: "record", kycRecordId, platformName: "Harbour 100%" }]);
  }
});

test("an endpoint, its deliveries, a platform and a request are found", async () => {
  const endpoint = { kind: "endpoint", endpointId: "whe_01m8aaaaaaaaaaaaaaaaaaata0x", enabled: true };
  const place = { kind: "platform", platformId: two };
  expect(await find("whe_01m8…ta0x")).toMatchObject([endpoint]);
  expect(await find("harbour")).toMatchObject([endpoint, place]);
  expect(await find("100%")).toMatchObject([place]);
  expect(await find("1_0")).toEqual([]);
  for (const text of ["whd_0123456789abcdef", "whd_0123…cdef", "msg_1"]) {
    expect(await find(text)).toMatchObject([{ kind: "delivery", deliveryId: "whd_0123456789abcdef" }]);
  }
  expect(await find("req_found")).toMatchObject([
    { kind: "request", operation: "kyc.submit", outcome: "done", subject: eve.record.kycRecordId },
  ]);
});

test("nothing of another platform is found, and each kind needs its scope", async () => {
  const texts = [
    "m-1",
    eve.record.kycRecordId,
    short(eve.record.kycRecordId),
    "harbour",
    "whd_0123…cdef",
    "req_found",
  ];
  for (const text of texts) {
    const found = await find(text, { platforms: [one] });
    expect(found.filter(({ platformId }) => platformId === two)).toEqual([]);
    expect(await find(text, { platforms: [] })).toEqual([]);
  }
  const kinds = async (scope: OperatorScope) => {
    const found = await Promise.all(texts.map((text) => find(text, { scopes: [scope] })));
    return new Set(found.flat().map(({ kind }) => kind));
  };
  expect(await kinds("ops.users.read")).toEqual(new Set(["user"]));
  expect(await kinds("ops.records.read")).toEqual(new Set(["record", "request"]));
  expect(await kinds("ops.webhooks")).toEqual(new Set(["endpoint", "delivery", "platform"]));
  expect(await kinds("ops.keys")).toEqual(new Set(["platform"]));
});

test("each user that a search finds is audited once an hour, and without its text", async () => {
  const audited = () =>
    admin("select platform_id, subject from audit_entries where operation = 'search.find' order by id");
  const before = (await audited()).length;
  const tom = await submitted({ memberId: "m-2", email: "tom@example.com" }, one);
  const ann = await submitted({ memberId: "m-2", email: "ann@example.com" }, two);
  await find("m-2");
  await find("tom@example.com");
  await find("nobody@example.com");
  await find(tom.record.kycRecordId);
  expect((await audited()).slice(before)).toEqual([
    { platform_id: one, subject: tom.externalUserId },
    { platform_id: two, subject: ann.externalUserId },
  ]);
  const entries = await admin("select * from audit_entries where operation = 'search.find'");
  expect(JSON.stringify(entries)).not.toContain("tom@");
});

test("names and whole ids are found by indexes alone, and a shortened id among a bounded number", async () => {
  await admin(
    `insert into users (id, platform_id, member_id_index, encrypted, data_key, key_version)
     select 'usr_many' || lpad(n::text, 22, '0'), $1, n::text::bytea, '', '', 1 from generate_series(1, 20000) as n`,
    [one],
  );
  await admin("analyze users");
  // One third of 50,000 are the newest 16,666 of this platform: number 17 is behind them.
  const many = { externalUserId: "usr_many0000000000000000010017" };
  expect(await find("usr_many…0017")).toMatchObject([user(many)]);
  const before = await rowsRead(database, adminUrl, ["users"]);
  expect(await find(many.externalUserId)).toMatchObject([user(many)]);
  expect(await find("nobody@example.com")).toEqual([]);
  expect((await rowsRead(database, adminUrl, ["users"])) - before).toBeLessThan(20);
});
