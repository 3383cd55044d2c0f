import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoPlatforms } from "../../src/boot/demo-data.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command line over a real database and the sandbox, without a worker. */
let world: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
const clock = createManualClock();
/** Longer than the sandbox waits before it approves a submission, in milliseconds. */
const untilDecided = 10_000;
beforeAll(async () => {
  world = await startTestService({
    events: false,
    sandboxClock: clock,
    env: { PROVIDER_KYC_TIMEOUT_MS: "1500", FOUR_EYES: "off" },
  });
  folder = await mkdtemp(join(tmpdir(), "cardbridge-cli-"));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

const printed: string[] = [];
const submitted: Record<string, unknown>[] = [];
const platformId = demoPlatforms[0]?.id ?? "";

/** The command line has the default timeout. The service has a short one for scenarios without a response. */
const environment = () => ({ ...world.env, PROVIDER_KYC_TIMEOUT_MS: "" });

async function cli(...args: string[]) {
  const result = await runCommand(args, environment());
  printed.push(result.stdout, result.stderr);
  return result;
}
const records = (...args: string[]) => cli("records", ...args);
async function json(...args: string[]) {
  const { stdout } = await records(...args, "--json");
  return JSON.parse(stdout);
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client(world.adminUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function submit(tag: string): Promise<string> {
  const body = newSubmission(tag);
  submitted.push(body);
  return ((await restSubmit(world.caller(), body)).body as { kycRecordId: string }).kycRecordId;
}

/** A record of a day ago that has needed attention for two hours. */
async function givenUp(tag: string): Promise<string> {
  const id = await submit(tag);
  await asAdmin(
    `update kyc_records set created_at = clock_timestamp() - interval '26 hours', due_at = null,
       needs_attention_since = clock_timestamp() - interval '130 minutes' where id = '${id}'`,
  );
  return id;
}

const outcomesOf = async (id: string) =>
  (await world.ledger()).attempts.filter(({ reference }) => reference === id).map(({ outcome }) => outcome);
const executionsOf = async (id: string) =>
  (await world.ledger()).executions.filter(({ reference }) => reference === id).length;

describe("cardbridge records", () => {
  it("prints a sentence when no record needs attention", async () => {
    expect(await records("list", "--needs-attention", "--platform", "plt_none")).toEqual({
      code: 0,
      stdout: "No records.\n",
      stderr: "",
    });
  });

  it("lists the records that need attention, as text and as JSON", async () => {
    const young = await submit("error-500");
    const id = await givenUp("timeout-after-effect");
    const { code, stdout, stderr } = await records("list", "--needs-attention");
    expect([code, stderr]).toEqual([0, ""]);
    const [titles = "", line = "", ...rest] = stdout.split("\n");
    expect(titles.split(/ {2,}/)).toEqual([
      "KYC RECORD",
      "RESOLUTION",
      "NEEDS ATTENTION SINCE",
      "CREATED",
      "ATTEMPT",
      "STEP",
      "PLATFORM",
    ]);
    expect(line.split(/ {2,}/)).toEqual([
      id,
      "unresolved",
      expect.stringMatching(/^20.*Z$/),
      expect.stringMatching(/^20.*Z$/),
      "1",
      "ask",
      platformId,
    ]);
    expect(rest).toEqual([""]);

    expect(await json("list", "--needs-attention")).toEqual({
      records: [
        {
          kycRecordId: id,
          platformId,
          resolution: "unresolved",
          attempt: 1,
          step: "ask",
          notFound: 0,
          createdAt: expect.stringMatching(/Z$/),
          dueAt: null,
          leaseUntil: null,
          needsAttentionSince: expect.stringMatching(/Z$/),
          readAt: expect.stringMatching(/Z$/),
        },
      ],
      more: false,
    });
    const all: { kycRecordId: string }[] = (await json("list", "--limit", "500")).records;
    expect(all.map(({ kycRecordId }) => kycRecordId)).toEqual([id, young]);
    expect(await json("list", "--limit", "1")).toMatchObject({ records: [{ kycRecordId: id }], more: true });
    await records("resolve", id, "--refused");
  });

  it("shows a record with its history", async () => {
    const id = await submit("pending");
    // On a slow machine the provider's response can come after the service's timeout.
    await records("refresh", id);
    const { code, stdout } = await records("get", id);
    expect(code).toBe(0);
    for (const part of [id, platformId, "PENDING_APPROVAL", "submission", "provider"])
      expect(stdout).toContain(part);
    expect(await json("get", id)).toMatchObject({
      kycRecordId: id,
      platformId,
      externalUserId: expect.stringMatching(/^usr_/),
      resolution: "answered",
      status: "PENDING_APPROVAL",
      needsAttentionSince: null,
      history: [
        { source: "submission", resolution: "unresolved" },
        { source: "provider", resolution: "answered", subStatus: "pending_approval" },
      ],
    });
  });

  it("says why a record needs attention, what to do, and which attempts there were", async () => {
    const id = await givenUp("timeout-before-effect");
    await records("refresh", id);
    const { stdout } = await records("get", id);
    expect(stdout).toMatch(/^next situation +not-found$/m);
    expect(stdout).toMatch(/^next operator +The provider does not know the submission. Send it again.$/m);
    expect(stdout).toMatch(/^next action +resend$/m);
    const attempts = await records("attempts", id);
    expect(attempts.stdout).toMatch(/^NUMBER +LAST NUMBER +COUNT +STEP +STARTED +MILLISECONDS +OUTCOME/m);
    expect((await json("attempts", id)).attempts).toMatchObject([
      { number: 1, step: "send", outcome: "unknown", reason: "deadline", by: "submission" },
      { number: 2, step: "ask", outcome: "not-found", reason: null, by: expect.stringMatching(/^claim:/) },
    ]);
  });

  it("requeues a record once", async () => {
    const id = await givenUp("timeout-before-effect");
    expect(await json("requeue", id)).toMatchObject({ needsAttentionSince: null, dueAt: expect.any(String) });
    expect(await json("get", id)).toMatchObject({ step: "ask", next: { situation: "retrying" } });
    expect(await records("requeue", id)).toEqual({
      code: 1,
      stdout: "",
      stderr: "The record does not need attention. Workers attempt it.\n",
    });
  });

  it("adds notes, and lists the restricted ones too", async () => {
    const id = await submit("pending");
    expect(await records("notes", id)).toMatchObject({ stdout: expect.stringContaining("No notes.") });
    expect(await records("add-note", id, "Sends a sharper image.")).toMatchObject({ code: 0, stderr: "" });
    await records("add-note", id, "A match.", "--restricted", "true");
    expect(await json("notes", id)).toMatchObject({
      notes: [
        {
          text: "Sends a sharper image.",
          restricted: false,
          by: null,
          actor: expect.stringMatching(/^claim:/),
        },
        { text: "A match.", restricted: true },
      ],
      hidden: 0,
    });
    expect((await records("notes", id)).stdout).toContain("Sends a sharper image.");
    expect(await json("state", id)).toMatchObject({ notes: 2, assignee: null, assignmentVersion: 0 });
  });

  it("releases a record by the version that the operator saw", async () => {
    const id = await submit("pending");
    const release = ["assign", id, "--assignee", "", "--assignment-version", "0"];
    expect(await json(...release)).toMatchObject({
      assignee: null,
      version: 1,
    });
    expect(await records(...release)).toEqual({
      code: 1,
      stdout: "",
      stderr: "Another person changed the assignment in between. It is not assigned now.\n",
    });
  });

  it("queries the provider, and stores its status", async () => {
    const id = await givenUp("timeout-after-effect");
    const { code, stdout, stderr } = await records("refresh", id);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^The provider has it: (pending_approval|approved.*)\.\n/);
    expect(stdout).toContain(`${id}: unresolved, needs attention -> `);
    expect(await outcomesOf(id)).toEqual(["timeout-after-effect"]);
    expect(await json("get", id)).toMatchObject({ resolution: "answered", needsAttentionSince: null });
  });

  it("leaves a record in need of attention if the provider does not know it", async () => {
    const id = await givenUp("timeout-before-effect");
    const { stdout } = await records("refresh", id);
    expect(stdout).toBe(`The provider does not know it.\n${id}: still unresolved, needs attention\n`);
    expect(await json("get", id)).toMatchObject({
      needsAttentionSince: expect.any(String),
      dueAt: null,
      leaseUntil: null,
    });
  });

  it("reports an unusable response from the provider", async () => {
    const id = await givenUp("mismatched");
    expect(await records("refresh", id)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "The provider returned no usable response: its response is about another submission (mismatched). The record is unresolved, needs attention.\n",
    });
    expect(await records("resend", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing was sent."),
    });
    const env = { ...environment(), PROVIDER_URL: "http://127.0.0.1:1" };
    expect(await runCommand(["records", "resend", id], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "nothing listens at its address (connection-refused). Nothing was sent.",
      ),
    });
    expect(await outcomesOf(id)).toHaveLength(1);
  });

  it("resends a submission that the provider does not know, and it is executed once", async () => {
    const id = await givenUp("timeout-before-effect");
    expect(await executionsOf(id)).toBe(0);
    const { code, stdout } = await records("resend", id);
    expect(code).toBe(0);
    expect(stdout).toContain("The provider does not know it. It was sent again. The provider has it: ");
    expect(await executionsOf(id)).toBe(1);
    expect(await outcomesOf(id)).toEqual(["timeout-before-effect", "executed"]);

    expect(await records("resend", id)).toEqual({
      code: 1,
      stdout: "",
      stderr: "The record is resolved. Only unresolved records can be sent again.\n",
    });
    expect(await executionsOf(id)).toBe(1);
  });

  it("does not resend a submission that the provider knows", async () => {
    const id = await givenUp("timeout-after-effect");
    expect(await json("resend", id)).toMatchObject({
      asked: { outcome: "answered" },
      sent: null,
      before: { kycRecordId: id, resolution: "unresolved", needsAttentionSince: expect.any(String) },
      after: { resolution: "answered", needsAttentionSince: null },
    });
    expect(await outcomesOf(id)).toEqual(["timeout-after-effect"]);
  });

  it("executes a submission once when two operators resend it concurrently", async () => {
    const id = await givenUp("timeout-before-effect");
    const both = await Promise.all([records("resend", id), records("resend", id)]);
    expect(both.map(({ code }) => code)).toContain(0);
    expect(await outcomesOf(id)).toEqual(["timeout-before-effect", "executed"]);
  });

  it("resolves a record with an operator's decision, which the provider's later status replaces", async () => {
    const id = await givenUp("timeout-after-effect");
    expect(await records("resolve", id, "--status", "rejected")).toEqual({
      code: 0,
      stdout: `${id}: unresolved, needs attention -> REJECTED\n`,
      stderr: "",
    });
    expect(await records("resolve", id, "--refused")).toEqual({
      code: 1,
      stdout: "",
      stderr: "The record is resolved. Only unresolved records can be resolved manually.\n",
    });
    expect((await json("refresh", id)).asked).toMatchObject({ subStatus: "pending_approval" });
    clock.advance(untilDecided);
    expect((await json("refresh", id)).asked).toMatchObject({ subStatus: "approved" });
    const { history, status, cardAccountId } = await json("get", id);
    expect({ status, cardAccountId }).toEqual({ status: "APPROVED", cardAccountId: expect.any(String) });
    expect(history).toMatchObject([
      { source: "submission" },
      { source: "person", status: "REJECTED" },
      { source: "provider", status: "APPROVED" },
    ]);
  });

  it("shows why the provider refused or rejected a record, without the reasons for compliance only", async () => {
    const refused = await submit("document-expired+watch-list-match");
    const expired = "DOCUMENT_EXPIRED /documentExpiryDate";
    const { stdout } = await records("get", refused);
    expect(stdout).toMatch(new RegExp(`^explanation reasons +${expired}$`, "m"));
    expect(stdout).toMatch(new RegExp(`^refused .*${expired}`, "m"));
    expect(await records("refresh", refused)).toMatchObject({
      stdout: `The provider refused it (${expired}).\n${refused}: still refused\n`,
    });
    const rejected = await submit("rejected+sanctions-match+final");
    expect(await json("refresh", rejected)).toMatchObject({ asked: { subStatus: "rejected" } });
    expect(await json("get", rejected)).toMatchObject({ status: "REJECTED", explanation: null });
    expect(printed.join("\n")).not.toMatch(/watch|sanction/i);
  });

  it("resolves a record with the operator's reasons", async () => {
    const id = await givenUp("mismatched");
    const resolved = await json(
      ...["resolve", id, "--refused", "--reason", "NAME_MISMATCH", "UNDER_AGE", "--final"],
    );
    const reasons = [
      { code: "NAME_MISMATCH", field: null },
      { code: "UNDER_AGE", field: null },
    ];
    expect(resolved).toMatchObject({
      before: { resolution: "unresolved", explanation: null },
      after: { resolution: "refused", explanation: { reasons, final: true } },
    });
  });

  it("stores the card account from the operator", async () => {
    const id = await givenUp("mismatched");
    const approval = ["--status", "approved", "--account", "acct_77", "--note", "By telephone."];
    const resolved = await json("resolve", id, ...approval);
    expect(resolved).toMatchObject({
      before: { resolution: "unresolved", needsAttentionSince: expect.any(String) },
      after: {
        resolution: "answered",
        status: "APPROVED",
        cardAccountId: "acct_77",
        needsAttentionSince: null,
      },
    });
  });

  it("reports an unknown record id", async () => {
    for (const command of [["get"], ["refresh"], ["resend"], ["resolve", "--refused"]]) {
      expect(await records(...command, "kyc_none")).toEqual({
        code: 1,
        stdout: "",
        stderr: "There is no KYC record with this id.\n",
      });
    }
  });

  it.each([
    [["records", "lst"], "unknown command"],
    [["records", "get"], "missing required argument"],
    [["records", "list", "--limit", "0"], "--limit: Send at least 1."],
    [["records", "resolve", "kyc_1"], "--refused, --status: This field is required."],
    [["records", "resolve", "kyc_1", "--status", "aproved"], "Allowed choices are"],
    [["records", "resolve", "kyc_1", "--refused", "--status", "approved"], "cannot be used with"],
    [
      ["records", "resolve", "kyc_1", "--status", "approved", "--account", "4111 1111 1111 1111"],
      "a card number",
    ],
    [
      ["records", "resolve", "kyc_1", "--status", "approved", "--account", "acct 1"],
      "--account: Send 1 to 256",
    ],
    [["records", "resolve", "kyc_1", "--refused", "--reason", "BAD_HAT"], "Allowed choices are"],
    [["records", "resolve", "kyc_1", "--status", "approved"], "--account <id>, or --no-account."],
    [
      ["records", "resolve", "kyc_1", "--status", "approved", "--no-account", "--final"],
      "Only a refusal or a rejection",
    ],
    [["records", "get", "kyc 1"], "<kycRecordId>: Send"],
    [["records"], "Usage: cardbridge records"],
    [[], "Usage: cardbridge"],
  ])("distinguishes wrong usage from failure: %j", async (args, message) => {
    const { code, stdout, stderr } = await cli(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("lists its commands in its help", async () => {
    const { code, stdout } = await records("--help");
    expect(code).toBe(0);
    for (const command of [
      "list",
      "get",
      "attempts",
      "add-note",
      "assign",
      "requeue",
      "refresh",
      "resend",
      "resolve",
    ])
      expect(stdout).toContain(`  ${command} `);
  });

  it("never prints a submitted value", () => {
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
});

describe("cardbridge without a service, a sandbox or a usable database", () => {
  it("prints where it looked for a service", async () => {
    expect(await runCommand(["records", "list"], { DATA_DIR: folder })).toEqual({
      code: 1,
      stdout: "",
      stderr: `No service runs on ${folder}: start one with npm start, or set DATABASE_URL.\n`,
    });
    const { DATABASE_URL } = world.env;
    expect(
      await runCommand(["records", "refresh", "kyc_1"], { DATABASE_URL, DATA_DIR: folder }),
    ).toMatchObject({
      code: 1,
      stderr: `No sandbox runs on ${folder}: start the service with npm start, or set PROVIDER_URL.\n`,
    });
  });

  it("reports that the sandbox at the recorded address does not run", async () => {
    await writeFile(join(folder, "sandbox.url"), "http://127.0.0.1:1");
    const id = await givenUp("mismatched");
    const { DATABASE_URL } = world.env;
    expect(await runCommand(["records", "refresh", id], { DATABASE_URL, DATA_DIR: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing listens at its address"),
    });
  });

  it("rejects a database that the service rejects", async () => {
    const superuser = { ...world.env, DATABASE_URL: world.adminUrl };
    expect(await runCommand(["records", "list"], superuser)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("superuser"),
    });
    const nowhere = { ...world.env, DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" };
    expect(await runCommand(["records", "list"], nowhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing listens at its address (ECONNREFUSED)"),
    });
  });
});
