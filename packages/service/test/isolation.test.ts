import { defaultPolicies } from "@cardbridge/domain";
import { getTableName, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { tables } from "../src/database/tables.ts";
import { putApiKey } from "../src/database.ts";
import { recordRequests } from "../src/document-requests/record.ts";
import { addRecordNote } from "../src/notes/add.ts";
import { pausePlatform } from "../src/pauses/start.ts";
import { propose } from "../src/proposals/propose.ts";
import { aFile } from "./support/a-file.ts";
import { operatorCall } from "./support/calls.ts";
import { aRequestForDocument } from "./support/document-requests.ts";
import { openEvidence } from "./support/opening.ts";
import { delivered, makeWebhookWorld } from "./support/webhooks.ts";
import { aCaller, aRequest } from "./support/world.ts";

const world = await makeWebhookWorld({ maxConnections: 1 });
const { admin, audit, database, kyc, platform, records, urls, users } = world;
const tableNames = Object.values(tables).map((table) => getTableName(table));
/** Not readable by the service, or of no platform. */
const hidden = [
  ...["service_environment", "api_keys", "persons", "known_encryption_keys", "service_processes"],
  ...["erasure_log", "restores", "restored_executions", "backups", "provider_lookups"],
];
const readable = tableNames.filter((name) => !hidden.includes(name));
const permissionDenied = "42501";

const mine = await platform();
const theirs = await platform();
const endpointId = await world.endpoint(theirs);
const { record } = await kyc.createOrReplay(theirs, { ...aRequest(), idempotencyKey: "k" });
const { kycRecordId, externalUserId } = record;

/** Every readable table gets a row of the other platform. */
async function fillTables() {
  const ofRecord = { kycRecordId, personId: "per_eve" };
  await world.ports.files.keep(theirs, aFile());
  const ofUser = { reference: kycRecordId, userReference: externalUserId };
  await recordRequests(world.ports, theirs, ofUser, [aRequestForDocument()], "event");
  await kyc.keepStep(theirs, record, "create", { id: "holder_1" });
  const outcome = { step: "send", outcome: "unknown", reason: "deadline" } as const;
  const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
  await kyc.reschedule(theirs, record, plan, { ...outcome, milliseconds: 9, by: "submission" });
  const person = await world.person({ personId: "per_eve", name: "Eve" });
  await records.assign(kycRecordId, person);
  await openEvidence(world, { ...ofRecord, openingId: "open_theirs", evidenceHash: "a".repeat(64) });
  await addRecordNote.execute(world.ports, operatorCall, { kycRecordId, text: "A note" });
  await world.holds.place(theirs, { externalUserId });
  await propose(
    world.ports,
    { ...operatorCall, platformId: theirs, operation: "users.erase" },
    { act: { kind: "erase", externalUserId } },
  );
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await pausePlatform(defaultPolicies).execute(world.ports, operatorCall, {
    ...{ platformId: theirs, reason: "A leaked key", until },
  });
  await world.checkpointAll(theirs);
  const file = { append: async () => {}, finish: async () => "00", discard: async () => {} };
  const month = new Date().toISOString().slice(0, 7);
  await audit.exportMonth(theirs, { month, actor: "claim:ada" }, async () => file);
  const read = { operation: "kyc.get", subject: kycRecordId, outcome: "done" } as const;
  await audit.appendRead(theirs, { ...aCaller, ...read });
  await world.deliverAll(delivered);
}
await fillTables();

const insertKey = (platformId: string, column = "expires_at", value = "null") =>
  `insert into api_keys (id, platform_id, name, prefix, hash, scopes, ${column})
   values ('key_x', '${platformId}', '', '', 'x', '{}', ${value})`;

const insertEvent = `insert into webhook_events (id, platform_id, type, data)
  values ('msg_x', '${theirs}', 'webhook.test', '{}')`;
const insertDelivery = `insert into webhook_deliveries (id, platform_id, endpoint_id, event_id, status, due_at)
  values ('whd_x', '${theirs}', '${endpointId}', 'x', 'pending', now())`;

const insertCount = `insert into audit_entries (platform_id, actor, operation, outcome, count)
  values ('${theirs}', 'x', 'x', 'done', 1)`;
const insertReads = `insert into audit_reads (day, platform_id, subject, operation, actor, address)
  values (now(), '${theirs}', 'x', 'x', 'x', '')`;
const insertProposal = (columns: string, values: string) =>
  `insert into proposals (id, platform_id, user_id, kind, actor, seen, ${columns}) values ('p', 'x', 'x', 'erase', 'x', 'x', ${values})`;
const insertHold = `insert into holds (id, platform_id, user_id, reference, placed_by, placed_at)
  values ('hold_x', '${theirs}', '${externalUserId}', 'case-1', 'claim:eve', now())`;

const ofPlatform = (platformId: string) => `begin; set local cardbridge.platform = '${platformId}'`;

/** Runs raw SQL as the service's role, without the repositories. */
const asService = <T = unknown>(...statements: string[]) =>
  withConnection(urls.serviceUrl, async (client) => {
    let rows: T[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  });

describe("another platform", () => {
  test("finds no user", async () => {
    expect(await users.find(theirs, { memberId: "member-1" })).not.toBeNull();
    expect(await users.find(mine, { memberId: "member-1" })).toBeNull();
    expect(await users.find(mine, { email: "ada@example.com" })).toBeNull();
  });

  test.each(readable.filter((name) => name !== "platforms"))("sees no rows of %s", async (name) => {
    const count = (platformId: string) =>
      database.asPlatform(platformId, async (tx) => {
        const { rows } = await tx.execute(sql`select from ${sql.identifier(name)}`);
        return rows.length;
      });
    expect(await count(theirs)).toBeGreaterThan(0);
    expect(await count(mine)).toBe(0);
  });

  test("sees no key", async () => {
    const hash = Buffer.alloc(32, 6);
    const key = { platformId: theirs, keyId: "key_theirs", name: "A key", prefix: "cbk_", hash, scopes: [] };
    await putApiKey(urls.ownerUrl, key);
    const keysAs = (id: string) => asService(ofPlatform(id), "select id from api_keys");
    expect(await keysAs(theirs)).toEqual([{ id: "key_theirs" }]);
    expect(await keysAs(mine)).toEqual([]);
    expect(await asService("select id from api_keys")).toEqual([]);
  });

  test("changes no rows, and adds no rows of other platforms", async () => {
    const setting = ofPlatform(mine);
    const changed = await asService(setting, "update kyc_records set attempt = 9 returning id");
    expect(changed).toEqual([]);
    const foreign = `insert into users (id, platform_id, member_id_index, email_index, encrypted, data_key, key_version)
      values ('usr_x', '${theirs}', 'm', 'e', '', '', 1)`;
    await expect(asService(setting, foreign)).rejects.toMatchObject({ code: permissionDenied });
  });

  test("cannot add a record to another platform's user", async () => {
    const foreign = `insert into kyc_records (id, platform_id, user_id, encrypted, fingerprint, resolution, attempt, due_at)
      values ('kyc_x', '${mine}', '${externalUserId}', '', '', 'unresolved', 1, now())`;
    const setting = ofPlatform(mine);
    await expect(asService(setting, foreign)).rejects.toMatchObject({ constraint: "kyc_records_user" });
  });
});

describe("without a platform", () => {
  test.each(readable)("the service sees no rows of %s, before or after a transaction", async (name) => {
    const select = `select from ${name}`;
    expect(await asService(select)).toEqual([]);
    const setting = ofPlatform(theirs);
    expect(await asService(setting, select)).not.toEqual([]);
    expect(await asService(setting, "commit", select)).toEqual([]);
  });

  test("a connection does not keep the platform of its last transaction", async () => {
    await users.find(theirs, { memberId: "member-1" });
    const rows = await database.withoutPlatform(
      async (tx) => (await tx.execute(sql`select from users`)).rows,
    );
    expect(rows).toEqual([]);
  });

  test("a look-up is rejected", async () => {
    await expect(users.find("", { memberId: "member-1" })).rejects.toThrow("platform");
  });
});

describe("every table", () => {
  test("of the database is in the schema", async () => {
    const found = await admin(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition",
    );
    expect(found.map(({ name }) => name).sort()).toEqual([...tableNames].sort());
  });

  test("has row-level security enabled and forced", async () => {
    const found = await admin(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and not (relrowsecurity and relforcerowsecurity)`,
    );
    expect(found).toEqual([]);
  });

  test("has partitions that the service cannot access, because row-level security applies to the whole table", async () => {
    const found = await admin(
      `select relname as name, has_table_privilege('cardbridge_service', oid, 'select, insert') as right
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition`,
    );
    expect(found).toHaveLength(13);
    expect(found.filter(({ right }) => right)).toEqual([]);
  });

  test.each(readable)("%s shows its owner no rows without a platform", async (name) => {
    const { rows } = await withConnection(urls.ownerUrl, (client) => client.query(`select from ${name}`));
    expect(rows).toEqual([]);
  });
});

describe("the service's role", () => {
  test.each([
    ["change history", "update kyc_history set status = 'APPROVED'"],
    ["read restricted reasons", "select restricted_reasons from kyc_history"],
    ["look for restricted reasons", "select id from kyc_history where restricted_reasons <> '{}'"],
    ["delete history", "delete from kyc_history"],
    [
      "open evidence without an audit entry",
      `insert into evidence_openings (id, platform_id, record_id, person_id, purpose, audit_id, expires_at)
       values ('open_x', '${theirs}', '${kycRecordId}', 'per_eve', 'review', 1, now() + interval '1 hour')`,
    ],
    ["extend an opening", "update evidence_openings set expires_at = now() + interval '1 day'"],
    ["give an opening to another person", "update evidence_openings set person_id = 'per_x'"],
    ["give an opening other evidence", "update evidence_openings set evidence_hash = 'x'"],
    ["delete an opening", "delete from evidence_openings"],
    ["empty history", "truncate kyc_history"],
    ["change the audit", "update audit_entries set actor = 'x'"],
    ["delete from the audit", "delete from audit_entries"],
    ["empty the audit", "truncate audit_entries"],
    [
      "set the time of an entry",
      "insert into audit_entries (platform_id, actor, operation, outcome, at) values ('x', 'x', 'x', 'x', now())",
    ],
    [
      "set the transaction of an entry",
      "insert into audit_entries (platform_id, actor, operation, outcome, txid) values ('x', 'x', 'x', 'x', 1)",
    ],
    ["set the count of an entry", insertCount],
    ["lower the count of reads", "update audit_reads set count = 0"],
    ["add a count of reads", insertReads],
    ["delete the counts of reads", "delete from audit_reads"],
    ["change the record of an export", "update audit_exports set last_number = 9"],
    ["drop an exported month", "update audit_exports set dropped_at = now()"],
    ["delete the record of an export", "delete from audit_exports"],
    ["change a checkpoint", "update audit_checkpoints set count = 0"],
    ["delete a checkpoint", "delete from audit_checkpoints"],
    ["empty the checkpoints", "truncate audit_checkpoints"],
    ["delete records", "delete from kyc_records"],
    ["delete steps", "delete from provider_steps"],
    ["move a step", "update provider_steps set record_id = 'x'"],
    ["change an encrypted submission", "update kyc_records set encrypted = ''"],
    ["delete the fingerprint of a body", "update kyc_records set fingerprint = null"],
    ["erase users without the function", "update users set erased_at = now()"],
    ["read the known encryption keys", "select name from known_encryption_keys"],
    ["add a known encryption key", "insert into known_encryption_keys (name, check_value) values ('x', '')"],
    ["read the processes without the function", "select host from service_processes"],
    [
      "store a process without the function",
      "insert into service_processes (id, role, version, host) values ('x', 'api', '1', 'x')",
    ],
    ["renew a process without the function", "update service_processes set seen_at = now()"],
    ["delete a process without the function", "delete from service_processes"],
    ["delete persons", "delete from persons"],
    ["change the identity of a person", "update persons set subject_index = ''"],
    ["set when a person was first seen", "update persons set first_seen_at = now()"],
    ["move a record", "update kyc_records set platform_id = 'x'"],
    ["delete users", "delete from users"],
    ["lift a hold without the function", "update holds set lifted_at = now()"],
    ["end a hold", "update holds set until = now()"],
    ["delete holds", "delete from holds"],
    ["set the time of a hold", insertHold],
    ["confirm a proposal without the function", "update proposals set decision = 'confirmed'"],
    ["change the proposer of a proposal", "update proposals set proposer = null"],
    ["change the version of a proposal", "update proposals set seen = '1'"],
    ["extend a proposal", "update proposals set expires_at = now() + interval '1 day'"],
    ["delete a proposal", "delete from proposals"],
    ["insert a confirmed proposal", insertProposal("decision, confirmer", "'confirmed', 'per_eve'")],
    ["set the time of a proposal", insertProposal("proposed_at", "now()")],
    ["set the end of a proposal", insertProposal("expires_at", "now() + interval '1 year'")],
    ["delete a pause", "delete from pauses"],
    ["extend a pause", "update pauses set until = now()"],
    ["change the reason of a pause", "update pauses set reason = 'x'"],
    ["write an attempt", "update kyc_attempts set count = 9"],
    ["change a note", "update record_notes set encrypted = ''"],
    ["delete a note", "delete from record_notes"],
    ["rename a member", "update users set member_id_index = ''"],
    ["change a user's encrypted names", "update users set encrypted = ''"],
    ["change the e-mail that finds a user", "update users set email_index = ''"],
    ["create another platform", "insert into platforms (id, name) values ('x', 'x')"],
    ["move a platform", "update platforms set id = 'x'"],
    ["delete platforms", "delete from platforms"],
    ["read hashes of keys", "select hash from api_keys"],
    ["look for a hash", "select id from api_keys where hash = ''"],
    ["create a key of another platform", insertKey("internal")],
    ["delete a key", "delete from api_keys"],
    ["restore a revoked key", "update api_keys set revoked_at = null"],
    ["extend a key", "update api_keys set expires_at = null"],
    ["change the scopes of a key", "update api_keys set scopes = '{kyc:write}'"],
    ["move a key to another platform", "update api_keys set platform_id = 'x'"],
    ["change the hash of a key", "update api_keys set hash = ''"],
    ["set the creation time of a key", insertKey(theirs, "created_at", "now()")],
    ["set the time at which a key was last used", insertKey(theirs, "last_used_at", "now()")],
    ["write an event without the function", insertEvent],
    ["change an event", "update webhook_events set data = null"],
    ["delete an event", "delete from webhook_events"],
    ["write a delivery without the function", insertDelivery],
    ["take a lease without the function", "update webhook_deliveries set lease = 9"],
    ["move a delivery to another endpoint", "update webhook_deliveries set endpoint_id = 'x'"],
    ["change the event of a delivery", "update webhook_deliveries set event_id = 'x'"],
    ["delete deliveries", "delete from webhook_deliveries"],
    ["change an attempt", "update webhook_attempts set status = 200"],
    ["delete attempts", "delete from webhook_attempts"],
    ["delete endpoints", "delete from webhook_endpoints"],
    ["move an endpoint to another platform", "update webhook_endpoints set platform_id = 'x'"],
    ["create a table", "create table public.mine (id int)"],
    ["disable row-level security", "alter table users disable row level security"],
    ["change migrations", "delete from drizzle.__drizzle_migrations"],
  ])("cannot %s", async (_name, statement) => {
    const setting = ofPlatform(theirs);
    await expect(asService(setting, statement)).rejects.toMatchObject({ code: permissionDenied });
  });

  test("creates a key of the current platform", async () => {
    await asService(ofPlatform(theirs), insertKey(theirs));
  });

  const hash = Buffer.alloc(32, 7);
  const inHex = `'\\x${hash.toString("hex")}'`;
  const aKey = { platformId: theirs, keyId: "key_1", name: "A key", prefix: "cbk_", hash, scopes: [] };

  test("cannot read hashes of keys through the functions", async () => {
    await putApiKey(urls.ownerUrl, aKey);
    const columns = await asService(`select * from find_api_keys(array[${inHex}]::bytea[])`);
    expect(columns).toEqual([{ nth: 1, key_id: "key_1", platform_id: theirs, scopes: [], expires_in: null }]);
    expect(await asService("select * from find_api_keys(null)")).toEqual([]);
    const listed = await asService<object>("select * from list_api_keys(null, null)");
    expect(listed).toContainEqual(expect.objectContaining({ id: "key_1", platform_id: theirs }));
    const values = listed.flatMap((row) => Object.values(row));
    expect(listed.flatMap((row) => Object.keys(row))).not.toContain("hash");
    expect(values).not.toContainEqual(hash);
    expect(values.map(String)).not.toContainEqual(expect.stringContaining(hash.toString("hex")));
  });

  test.each([
    {
      name: "revokes keys",
      call: "select revoke_api_key('key_1')",
      read: "select revoked_at is not null as changed from api_keys where id = 'key_1'",
    },
    {
      name: "expires keys",
      call: "select retire_api_key('key_1', interval '0')",
      read: "select expires_at <= now() as changed from api_keys where id = 'key_1'",
    },
    {
      name: "relinks users",
      call: `select relink_user('${externalUserId}', 's', 'm', 'e')`,
      read: `select encrypted = 's' as changed from users where id = '${externalUserId}'`,
    },
    {
      name: "lifts holds",
      call: "select lift_hold((select id from holds limit 1), 'claim:eve')",
      read: "select lifted_by is not null as changed from holds",
    },
    {
      name: "writes webhook events to endpoints",
      call: `select write_webhook_event('msg_x', 'webhook.test', null, null, null, '{}', '${endpointId}')`,
      read: "select count(*) > 0 as changed from webhook_events where id = 'msg_x'",
    },
  ])("$name of the current platform only", async ({ call, read }) => {
    await putApiKey(urls.ownerUrl, { ...aKey, expiresAt: new Date("2030-01-01") });
    await asService(call);
    await asService(ofPlatform(mine), call, "commit");
    expect(await admin(read)).toEqual([{ changed: false }]);
    expect(await asService(ofPlatform(theirs), call, read)).toEqual([{ changed: true }]);
  });

  test("can shorten but not extend the life of a key", async () => {
    await putApiKey(urls.ownerUrl, { ...aKey, expiresAt: new Date("2030-01-01") });
    const setting = ofPlatform(theirs);
    const read = "select expires_at, revoked_at from api_keys where id = 'key_1'";
    const longer = await asService(setting, "select retire_api_key('key_1', interval '99 years')", read);
    expect(longer).toMatchObject([{ expires_at: new Date("2030-01-01") }]);
    const [first] = await asService(setting, "select revoke_api_key('key_1')", read, "commit", setting, read);
    const again = await asService(setting, "select revoke_api_key('key_1')", read);
    expect(first).toMatchObject({ revoked_at: expect.any(Date) });
    expect(again).toEqual([first]);
  });
});
