import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { restList } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestService } from "../support/test-service.ts";

/** The command line imports cardholders from real files into a real database. */
let world: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
beforeAll(async () => {
  world = await startTestService({ events: false });
  folder = await mkdtemp(join(tmpdir(), "cardbridge-import-"));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const platform = ["--platform", "plt_demo_one"];

/** A new user. */
function person() {
  const name = randomBytes(6).toString("hex");
  return { memberId: `m-${name}`, email: `${name}@example.com`, externalUserId: `usr_${name}` };
}

async function importText(text: string | Buffer, ...args: string[]) {
  const file = join(folder, `${randomBytes(6).toString("hex")}.csv`);
  await writeFile(file, text);
  return runCommand(["users", "import", ...platform, file, ...args], world.env);
}
const importLines = (...lines: string[]) =>
  importText(`memberId,email,externalUserId\n${lines.join("\n")}\n`);
const lineOf = (user: ReturnType<typeof person>) => Object.values(user).join(",");

async function refusedOf(...lines: string[]) {
  const { stdout } = await importText(`memberId,email,externalUserId\n${lines.join("\n")}\n`, "--json");
  return JSON.parse(stdout).refused.map(({ message: _, ...refused }: { message: string }) => refused);
}

describe("cardbridge users import", () => {
  it("imports users that both names find, audits each user, and changes nothing on a repeat", async () => {
    const people = [person(), person(), person()];
    const lines = people.map(lineOf);
    expect(await importLines(...lines)).toEqual({
      code: 0,
      stdout: "3 users were imported, 0 existed already, 0 lines were refused.\n",
      stderr: "",
    });
    for (const { memberId, email } of people) {
      expect((await restList(world.caller(), { memberId })).status).toBe(200);
      expect((await restList(world.caller(), { email })).status).toBe(200);
      expect((await restList(world.caller(demoKeys.second), { memberId })).status).toBe(404);
    }
    const audit = await runCommand(["audit", "list", "plt_demo_one", "--limit", "3", "--json"], world.env);
    expect(JSON.parse(audit.stdout).entries).toEqual(
      expect.arrayContaining(
        people.map(({ externalUserId: subject }) =>
          expect.objectContaining({ operation: "users.import", subject, outcome: "done" }),
        ),
      ),
    );
    expect(await importLines(...lines, lineOf(person()))).toMatchObject({
      code: 0,
      stdout: "1 users were imported, 3 existed already, 0 lines were refused.\n",
    });
  });

  it("reports rejected lines by number and rule without their values, and imports the others", async () => {
    const [first, last] = [person(), person()];
    const bad = `canary member,canary@@example.com,canary/id\n"canary, two\nlines",c@example.com`;
    const refused = await importLines(lineOf(first), bad, ",,", lineOf(last));
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/^2 users were imported, 0 existed already, 3 lines were refused\.\n\n/);
    const rows = refused.stdout.split("\n").slice(2, -1);
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 3))).toEqual([
      ["LINE", "FIELD", "RULE"],
      ["3", "email", "email"],
      ["3", "externalUserId", "external-user-id"],
      ["5", "-", "columns"],
      ["6", "memberId", "required"],
      ["6", "email", "required"],
    ]);
    expect(refused.stderr).toBe(
      "Correct the refused lines and import the file again: imported users stay unchanged.\n",
    );
    expect(refused.stdout + refused.stderr).not.toContain("canary");
    expect((await restList(world.caller(), { memberId: last.memberId })).status).toBe(200);
  });

  it("rejects the names of another user and imports a user once that is twice in one file", async () => {
    const [known, twin] = [person(), person()];
    await importLines(lineOf(known));
    const taken = { ...person(), email: known.email.toUpperCase() };
    expect(await refusedOf(lineOf(twin), lineOf(taken), lineOf(twin))).toEqual([
      { line: 3, field: "email", rule: "taken" },
    ]);
    expect((await importLines(lineOf(known), lineOf(twin))).stdout).toMatch(
      /^0 users were imported, 2 existed/,
    );
  });

  it("imports more than one batch, with quotes and a byte order mark", async () => {
    const lines = Array.from({ length: 201 }, () => {
      const { memberId, email } = person();
      return `"${memberId}, ""x""",${email}`;
    });
    const { stdout, code } = await importText(`\ufeffmemberId,email\r\n${lines.join("\r\n")}`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^201 users were imported/)]);
  });

  it.each([
    ["an unknown column", "memberId,email,phone\n"],
    ["semicolons", "memberId;email\ncanary;canary@example.com\n"],
    ["no header", "canary,canary@example.com\n"],
    ["a column twice", "memberId,email,email\n"],
    ["a column missing", "memberId\n"],
  ])("rejects the whole file for %s", async (_name, text) => {
    const { code, stdout, stderr } = await importText(text);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^The file's header is invalid\. Its first line must be: memberId,email/);
    expect(stderr).not.toContain("canary");
  });

  it("rejects an empty file, a missing file, a folder and an unknown platform", async () => {
    expect((await importText("")).stderr).toMatch(/^The file is empty\./);
    for (const file of [join(folder, "nowhere"), folder]) {
      const { code, stderr } = await runCommand(["users", "import", ...platform, file], world.env);
      expect([code, stderr]).toEqual([1, `The file ${file} cannot be read.\n`]);
    }
    const elsewhere = ["users", "import", "--platform", "plt_nowhere", "-"];
    expect(await runCommand(elsewhere, world.env, `memberId,email\nm,m@example.com\n`)).toMatchObject({
      code: 1,
      stderr: "There is no such platform.\n",
    });
  });

  it("reports invalid CSV and invalid UTF-8", async () => {
    const [first, last] = [person(), person()];
    const open = await importLines(lineOf(first), `"canary${"x".repeat(20_000)}`, lineOf(last));
    expect(open.stdout).toMatch(/^1 users were imported, 0 existed already, 1 lines were refused/);
    expect(open.stdout).toMatch(/^ {3}3 {2}csv {3}This is not valid CSV/m);
    expect(open.stdout + open.stderr).not.toContain("canary");
    expect(await refusedOf(`canary"x",${last.email},`, ",,", '"a"b,c')).toMatchObject([
      { line: 2, rule: "csv" },
      { line: 3, rule: "required" },
      { line: 3, rule: "required" },
      { line: 4, rule: "csv" },
    ]);
    const latin = Buffer.from(`memberId,email\nRen\u00e9,${last.email}\n`, "latin1");
    const { stdout } = await importText(latin, "--json");
    expect(JSON.parse(stdout).refused).toMatchObject([{ line: 2, rule: "encoding" }]);
  });
});
