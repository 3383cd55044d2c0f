import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { cellsOf, runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The records of a real database and the sandbox, without a worker. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
let folder: string;
beforeAll(async () => {
  // Submissions without a response are given up soon. The command line has the default timeout.
  world = await startTestService({
    events: false,
    env: { PROVIDER_KYC_TIMEOUT_MS: "1500", FOUR_EYES: "off" },
  });
  admin = new Client(world.adminUrl);
  await admin.connect();
  folder = await mkdtemp(join(tmpdir(), "cardbridge-cli-"));
});
afterAll(async () => {
  await admin.end();
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const printed: string[] = [];
const submitted: Record<string, unknown>[] = [];
const environment = () => ({ ...world.env, PROVIDER_KYC_TIMEOUT_MS: "" });

async function records(...args: string[]) {
  const result = await runCommand(["records", ...args], environment());
  printed.push(result.stdout, result.stderr);
  return result;
}
const json = async (...args: string[]) => JSON.parse((await records(...args, "--json")).stdout);

async function submit(tag: string): Promise<string> {
  const body = newSubmission(tag);
  submitted.push(body);
  return ((await restSubmit(world.caller(), body)).body as { kycRecordId: string }).kycRecordId;
}

/** A record of a day ago that has needed attention for two hours. */
async function givenUp(tag: string): Promise<string> {
  const id = await submit(tag);
  await admin.query(
    `update kyc_records set created_at = clock_timestamp() - interval '26 hours', due_at = null,
       needs_attention_since = clock_timestamp() - interval '130 minutes' where id = $1`,
    [id],
  );
  return id;
}

describe("reads", () => {
  it("list the records that need attention, as text and as JSON", async () => {
    await submit("error-500");
    const id = await givenUp("timeout-after-effect");
    const [titles, ...rows] = cellsOf((await records("list", "--needs-attention")).stdout);
    expect(titles).toEqual(
      "KYC RECORD,RESOLUTION,NEEDS ATTENTION SINCE,CREATED,ATTEMPT,STEP,PLATFORM".split(","),
    );
    const time = expect.stringMatching(/^20.*Z$/);
    expect(rows).toEqual([[id, "unresolved", time, time, "1", "ask", "plt_demo_one"]]);
    expect(await json("list", "--limit", "1")).toMatchObject({ records: [{ kycRecordId: id }], more: true });
    await records("resolve", id, "--refused", "--note", "By telephone.");
  });

  it("show a record with its history, the next step of the operator, and its attempts", async () => {
    const id = await givenUp("timeout-before-effect");
    await records("refresh", id);
    const { stdout } = await records("get", id);
    expect(stdout).toMatch(/^next situation +not-found$/m);
    expect(stdout).toMatch(/^next operator +The provider does not know the submission. Send it again.$/m);
    expect(stdout).toMatch(/^unresolved +submission +20/m);
    expect((await records("attempts", id)).stdout).toMatch(/^NUMBER .* STEP .* OUTCOME/m);
    expect((await json("attempts", id)).attempts).toMatchObject([
      { step: "send", outcome: "unknown", reason: "deadline", by: "submission" },
      { step: "ask", outcome: "not-found", reason: null, by: expect.stringMatching(/^claim:/) },
    ]);
  });

  it("say why the provider refused or rejected a record, without the reasons for compliance only", async () => {
    const refused = await submit("document-expired+watch-list-match");
    const expired = "DOCUMENT_EXPIRED /documentExpiryDate";
    expect((await records("get", refused)).stdout).toMatch(
      new RegExp(`^explanation reasons +${expired}$[^]*^refused .*${expired}`, "m"),
    );
    expect((await records("refresh", refused)).stdout).toBe(
      `The provider refused it (${expired}).\n${refused}: still refused\n`,
    );
    const rejected = await submit("rejected+sanctions-match+final");
    await records("refresh", rejected);
    expect(await json("get", rejected)).toMatchObject({ status: "REJECTED", explanation: null });
    expect(printed.join("\n")).not.toMatch(/watch|sanction/i);
  });
});

describe("changes", () => {
  it("requeue, note and release a record, each once", async () => {
    const id = await givenUp("timeout-before-effect");
    expect(await json("requeue", id)).toMatchObject({ needsAttentionSince: null, dueAt: expect.any(String) });
    expect(await records("requeue", id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/Workers/) });
    await records("add-note", id, "Sends a sharper image.");
    await records("add-note", id, "A match.", "--restricted", "true");
    expect((await records("notes", id)).stdout).toMatch(/Sends a sharper image\..*A match\./s);
    const release = ["assign", id, "--assignee", "", "--assignment-version", "0"];
    expect(await json(...release)).toMatchObject({ assignee: null, version: 1 });
    expect(await records(...release)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Another person/),
    });
  });

  const still = "still unresolved, needs attention";
  const mismatched = "the provider answered about another submission (mismatched).";
  it.each([
    ["refresh", "timeout-after-effect", 0, /^The provider has it: .*\n.*: unresolved, needs attention -> /],
    ["refresh", "timeout-before-effect", 0, `The provider does not know it.\nID: ${still}\n`],
    ["refresh", "mismatched", 1, `no usable response: ${mismatched} The record is unresolved`],
    ["resend", "mismatched", 1, `${mismatched} Nothing was sent.`],
    ["resend", "timeout-after-effect", 0, /^The provider has it: (pending_approval|approved)/],
  ])("%s a submission with the scenario %s", async (command, tag, exitCode, message) => {
    const id = await givenUp(tag);
    const { code, stdout, stderr } = await records(command, id);
    expect(code).toBe(exitCode);
    const text = (stdout + stderr).replaceAll(id, "ID");
    if (typeof message === "string") expect(text).toContain(message);
    else expect(text).toMatch(message);
    const attempts = (await world.ledger()).attempts.filter(({ reference }) => reference === id);
    expect(attempts.map(({ outcome }) => outcome)).toHaveLength(1);
  });

  it("execute a submission once, although two operators resend it at once and again", async () => {
    const id = await givenUp("timeout-before-effect");
    expect((await records("resend", id)).stdout).toContain(
      "The provider does not know it. Nothing was sent yet: one more such reply is required. Run the command again in a minute.",
    );
    const both = await Promise.all([records("resend", id), records("resend", id)]);
    expect(both.map(({ code }) => code)).toContain(0);
    expect(both.map(({ stdout }) => stdout).join()).toContain("It was sent again. The provider has it: ");
    expect(await records("resend", id)).toMatchObject({
      code: 1,
      stderr: "The record is resolved. Only unresolved records can be sent again.\n",
    });
    const attempts = (await world.ledger()).attempts.filter(({ reference }) => reference === id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["timeout-before-effect", "executed"]);
  });

  it.each([
    [
      ["--refused", "--reason", "NAME_MISMATCH", "UNDER_AGE", "--final"],
      { resolution: "refused", explanation: { reasons: [{ code: "NAME_MISMATCH" }, {}], final: true } },
    ],
    [
      ["--status", "approved", "--account", "acct_77"],
      { resolution: "answered", status: "APPROVED", cardAccountId: "acct_77", needsAttentionSince: null },
    ],
  ])("resolve a record with %j", async (decision, after) => {
    const id = await givenUp("mismatched");
    const because = ["--note", "By telephone."];
    expect(await json("resolve", id, ...decision, ...because)).toMatchObject({
      before: { kycRecordId: id },
      after,
    });
    expect(await records("resolve", id, "--refused", ...because)).toMatchObject({
      code: 1,
      stderr: "The record is resolved. Only unresolved records can be resolved manually.\n",
    });
  });
});

const resolve = ["resolve", "kyc_1", "--note", "By telephone."];
const approve = [...resolve, "--status", "approved"];
it.each([
  [["get", "kyc_none"], 1, "There is no KYC record with this id."],
  [["get", "kyc 1"], 2, "<kycRecordId>: Send"],
  [["list", "--limit", "0"], 2, "--limit: Send at least 1."],
  [["resolve", "kyc_1", "--refused"], 2, "required option '--note <note>'"],
  [resolve, 2, "--refused, --status: This field is required."],
  [[...resolve, "--status", "aproved"], 2, "Allowed choices are"],
  [[...resolve, "--refused", "--status", "approved"], 2, "cannot be used with"],
  [[...resolve, "--refused", "--reason", "BAD_HAT"], 2, "Allowed choices are"],
  [[...approve, "--account", "4111 1111 1111 1111"], 2, "a card number"],
  [approve, 2, "--account <id>, or --no-account."],
  [[...approve, "--no-account", "--final"], 2, "Only a refusal or a rejection"],
  [[], 2, "Usage: cardbridge records"],
])("reports the error of: %j", async (args, exitCode, message) => {
  const { code, stdout, stderr } = await records(...args);
  expect([code, stdout]).toEqual([exitCode, ""]);
  expect(stderr).toContain(message);
});

it("a submitted value is never printed", () => {
  const all = printed.join("\n");
  expect(submitted.length).toBeGreaterThan(5);
  for (const body of submitted) {
    for (const [field, value] of Object.entries(body)) {
      if (typeof value !== "string" || value.length < 5) continue;
      expect(all, field).not.toContain(value);
    }
  }
  expect(all).not.toContain("@");
  expect(all).not.toContain("    at ");
});

describe("without a service, a sandbox or a usable database", () => {
  const sandboxOnly = () => ({ DATABASE_URL: world.env.DATABASE_URL, DATA_DIR: folder });
  it.each([
    ["no service", () => ({ DATA_DIR: folder }), "No service runs on FOLDER: start one with npm start"],
    ["no sandbox", sandboxOnly, "No sandbox runs on FOLDER: start the service with npm start"],
    ["a superuser", () => ({ ...world.env, DATABASE_URL: world.adminUrl }), "superuser"],
    [
      "no database",
      () => ({ ...world.env, DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }),
      "nothing listens at its address (ECONNREFUSED)",
    ],
  ])("%s is an error with what to do", async (_name, env, message) => {
    const { code, stdout, stderr } = await runCommand(["records", "refresh", "kyc_1"], env());
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.replace(folder, "FOLDER")).toContain(message);
  });

  it("a sandbox that does not run at the recorded address is an error", async () => {
    await writeFile(join(folder, "sandbox.url"), "http://127.0.0.1:1");
    const id = await givenUp("mismatched");
    expect(await runCommand(["records", "refresh", id], sandboxOnly())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the connection to the provider failed"),
    });
  });
});
