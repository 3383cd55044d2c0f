import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { outsideTransaction } from "../src/database/migrate.ts";
import { migrationsFolder } from "../src/database/migration-status.ts";

const squawk = fileURLToPath(new URL("../node_modules/.bin/squawk", import.meta.url));

/** The rules of squawk that do not fit, each with the reason. */
const excluded = {
  "require-lock-timeout": "the runner sets it",
  "require-statement-timeout": "a validation and a backfill may take long: they hold up no call",
  "prefer-bigint-over-int": "the integers are counters and revisions",
};

/** Outside a transaction `findUnrepeatable` is stricter: IF NOT EXISTS accepts the invalid index of a failure. */
const excludedOutside = ["prefer-robust-stmts"];

/** What holds up calls, or cannot run again after an interruption. */
function findProblems(sql: string): string[] {
  const outside = sql.startsWith(outsideTransaction);
  const rules = [...Object.keys(excluded), ...(outside ? excludedOutside : [])];
  const mode = outside ? "--no-assume-in-transaction" : "--assume-in-transaction";
  const options = ["--pg-version=15", mode, `--exclude=${rules.join(",")}`, "--reporter=json"];
  const { stdout, stderr } = spawnSync(squawk, [...options, "--stdin-filepath=migration.sql"], {
    input: sql,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const violations: { rule_name: string; line: number }[] = JSON.parse(stdout);
  const found = violations.map(({ rule_name, line }) => `line ${line + 1}: ${rule_name}`);
  return outside ? [...found, ...findUnrepeatable(sql)] : found;
}

const dropIndex = /^DROP INDEX CONCURRENTLY IF EXISTS (\S+);$/i;
const createIndex = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\S+) ON /i;
const validation = /^ALTER TABLE \S+ VALIDATE CONSTRAINT \S+;$/i;
const backfill = /^DO \$\$.*\block_timeout\b.*\bCOMMIT;/is;

/** The statements that a run after an interruption cannot repeat. An index has to be dropped by the one before it. */
function findUnrepeatable(sql: string): string[] {
  const statements = sql.split("--> statement-breakpoint").map((text) => text.replace(/^--.*$/gm, "").trim());
  return statements.filter((statement, index) => {
    const [, created] = createIndex.exec(statement) ?? [];
    if (created) return dropIndex.exec(statements[index - 1] ?? "")?.[1] !== created;
    return ![dropIndex, backfill, validation].some((repeatable) => repeatable.test(statement));
  });
}

// The migrations before 0.2.0 create an empty database.
const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql") && name >= "0011");

test("the migrations after 0.2.0 hold up no calls, and can be repeated", () => {
  const problems = files.map((name) => [
    name,
    findProblems(readFileSync(`${migrationsFolder}/${name}`, "utf8")),
  ]);
  expect(problems).toEqual(files.map((name) => [name, []]));
});

test("what holds up calls in a transaction is found", () => {
  const index = "CREATE INDEX users_at ON users (at);";
  expect(findProblems(index)).toEqual(["line 1: require-concurrent-index-creation"]);
  expect(findProblems(`CREATE TABLE users (id text PRIMARY KEY, at text); ${index}`)).toEqual([]);
});

const drop = "DROP INDEX CONCURRENTLY IF EXISTS users_at;";
const create = "CREATE INDEX CONCURRENTLY users_at ON users (at);";
const fill = (before: string, after: string) =>
  `DO $$ BEGIN LOOP ${before} UPDATE users SET age = 1 WHERE age IS NULL; EXIT WHEN NOT FOUND; ${after} END LOOP; END $$;`;
const limit = "PERFORM set_config('lock_timeout', '2s', true);";

const renamed = create.replace("users_at", "users_age");
const orKeeps = create.replace("users_at", "IF NOT EXISTS users_at");
const column = "ALTER TABLE users ADD COLUMN age integer;";

test.each([
  { statements: [drop, create], problems: [] },
  { statements: [create], problems: [create] },
  { statements: [drop, renamed], problems: [renamed] },
  { statements: [drop, orKeeps], problems: [orKeeps] },
  { statements: [fill(limit, "COMMIT;")], problems: [] },
  { statements: [fill("", "COMMIT;")], problems: [fill("", "COMMIT;")] },
  { statements: [fill(limit, "")], problems: [fill(limit, "")] },
  { statements: [column], problems: [column] },
])("outside a transaction, $problems cannot be repeated of $statements", ({ statements, problems }) => {
  expect(findProblems(outsideTransaction + statements.join("--> statement-breakpoint\n"))).toEqual(problems);
});
