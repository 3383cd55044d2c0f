import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { withConnection } from "../src/database/connect.ts";
import { makeWorld } from "./support/world.ts";

const { admin, database, submitted, urls } = await makeWorld({ maxConnections: 1 });
const readable = [
  ...["platforms", "users", "kyc_records", "kyc_history", "holds", "audit_entries", "audit_exports"],
  ...["webhook_endpoints", "webhook_events", "webhook_deliveries", "webhook_attempts"],
];
const [one, two, three] = [
  (await submitted()).platformId,
  (await submitted()).platformId,
  (await submitted()).platformId,
];

/** The platforms whose rows a statement returns. */
const seen = async (statement: string, platforms: readonly string[] | "all") => {
  const rows = await database.asOperators(
    platforms,
    async (tx) => (await tx.execute<{ platform_id: string }>(sql.raw(statement))).rows,
  );
  return [...new Set(rows.map((row) => row.platform_id))].sort();
};

const asService = (...statements: string[]) =>
  withConnection(urls.serviceUrl, async (client) => {
    let rows: object[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  });
const asOperators = (platforms: string, ...statements: string[]) =>
  asService(
    `begin; set local role cardbridge_operators; set local cardbridge.platforms = '${platforms}'`,
    ...statements,
  );

describe("a transaction of operators", () => {
  const select = "select platform_id from kyc_records";

  test("sees exactly its platforms", async () => {
    expect(await seen(select, [one])).toEqual([one]);
    expect(await seen(select, [one, three])).toEqual([one, three].sort());
    expect(await seen(select, "all")).toEqual([one, two, three].sort());
    expect(await seen("select id as platform_id from platforms", [two])).toEqual([two]);
  });

  test.each(readable)("without platforms sees no rows of %s", async (name) => {
    const statement = `select from ${name}`;
    expect(await asOperators("", statement)).toEqual([]);
    expect(await asService("begin; set local role cardbridge_operators", statement)).toEqual([]);
    expect(await database.asOperators([], async (tx) => (await tx.execute(sql.raw(statement))).rows)).toEqual(
      [],
    );
  });

  test("takes a claim of other characters for no platform", async () => {
    for (const claim of ["*", `${one},${two}`, `{${one}}`, "'", ""])
      expect(await seen(select, [claim])).toEqual([]);
    expect(await seen(select, ["*", one])).toEqual([one]);
  });

  test("leaves nothing to the next transaction of its connection", async () => {
    await seen(select, "all");
    const after = await database.withoutPlatform(async (tx) => {
      const { rows } = await tx.execute(
        sql`select current_user = session_user as same, current_setting('cardbridge.platforms', true) as platforms`,
      );
      return [rows, (await tx.execute(sql.raw(select))).rows];
    });
    expect(after).toEqual([[{ same: true, platforms: "" }], []]);
    expect(await database.asPlatform(one, async (tx) => (await tx.execute(sql.raw(select))).rows)).toEqual([
      { platform_id: one },
    ]);
  });

  test("gives the service's own role no rows for its setting", async () => {
    expect(await asService("begin; set local cardbridge.platforms = '*'", select)).toEqual([]);
  });

  test("gives no rows for its setting to a member that inherits its rights", async () => {
    await admin("create role heir login password 'heir' in role cardbridge_operators");
    const url = new URL(urls.serviceUrl);
    [url.username, url.password] = ["heir", "heir"];
    const rows = await withConnection(url.href, async (client) => {
      await client.query("begin; set local cardbridge.platforms = '*'");
      return (await client.query(select)).rows;
    });
    await admin("drop role heir");
    expect(rows).toEqual([]);
  });
});

describe("the operators' role", () => {
  test("has no right to an encrypted column, a key, a blob or a restricted reason", async () => {
    const columns = await admin(
      `select c.relname || '.' || a.attname as name from pg_attribute as a join pg_class as c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not c.relispartition
         and not a.attisdropped and has_column_privilege('cardbridge_operators', c.oid, a.attnum, 'select')`,
    );
    const granted: string[] = columns.map(({ name }) => name);
    expect(granted).toContain("kyc_records.explanation");
    const hidden = /encrypted|data_key|key_version|fingerprint|hash|restricted|excerpt/;
    expect(granted.filter((name) => hidden.test(name)).sort()).toEqual([
      "evidence_openings.evidence_hash",
      "proposals.evidence_hash",
    ]);
    const tables = new Set(granted.map((name) => name.split(".")[0]));
    expect([...tables].sort()).toEqual(
      [
        ...[...readable, "kyc_attempts", "record_assignments", "proposals", "pauses"],
        ...["evidence_openings", "persons", "document_requests"],
      ].sort(),
    );
  });

  test.each([
    "select encrypted from kyc_records",
    "select data_key from users",
    "select restricted_reasons from kyc_history",
    "select encrypted from proposals",
    "select excerpt from webhook_attempts",
    "select data from webhook_events",
    "select from audit_checkpoints",
    "select * from users",
    "select from files",
    "select from api_keys",
    "update kyc_records set attempt = 9",
    "insert into platforms (id, name) values ('x', 'x')",
    "delete from users",
    "select lease_due(1, interval '1 minute')",
    "select platform_of_record('x')",
  ])("cannot %s", async (statement) => {
    await expect(asOperators("*", statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("cannot log in, and is not inherited by the service", async () => {
    const rows = await admin(
      `select rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as any,
         pg_has_role('cardbridge_app', oid, 'member') as member, pg_has_role('cardbridge_app', oid, 'usage') as inherited
       from pg_roles where rolname = 'cardbridge_operators'`,
    );
    expect(rows).toEqual([{ any: false, member: true, inherited: false }]);
  });
});
