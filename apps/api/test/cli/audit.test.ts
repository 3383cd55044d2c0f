import { userInfo } from "node:os";
import { checkpointAudit } from "@cardbridge/operations";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withOperatorPorts } from "../../src/boot/operator.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command line and the audit, over a real database. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
beforeAll(async () => {
  world = await startTestService({ events: false });
  admin = new Client(world.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.stop();
});

const platformId = "plt_demo_one";
const cli = (...args: string[]) => runCommand(args, world.env);
const verify = async () => JSON.parse((await cli("audit", "verify", platformId, "--json")).stdout);

async function submit(): Promise<string> {
  return ((await restSubmit(world.caller(), newSubmission("pending"))).body as { kycRecordId: string })
    .kycRecordId;
}
/**
 * Creates checkpoints for all entries, as the worker does every few seconds. Transactions of other tests on the shared
 * server delay the checkpoints briefly.
 */
const checkpoint = () =>
  withOperatorPorts(world.env, ["keys"], async (ports) => {
    do await checkpointAudit(ports);
    while ((await ports.audit.pending()).length > 0);
  });

describe("cardbridge audit", () => {
  it("lists a platform's entries as JSON", async () => {
    const id = await submit();
    await cli("--by", "ada", "records", "get", id);
    const { entries } = JSON.parse((await cli("audit", "list", platformId, "--json")).stdout);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^[1-9]\d*$/),
      at: expect.stringMatching(/Z$/),
      actor: "claim:ada",
      person: null,
      operation: "records.get",
      subject: id,
      outcome: "done",
      requestId: expect.stringMatching(/^req_/),
      purpose: null,
      address: null,
      count: null,
      platformId,
      by: null,
    });
  });

  it("lists the entries of all platforms, as a table and page by page", async () => {
    const id = await submit();
    await cli("--by", "ada", "records", "get", id);
    const { code, stdout } = await cli("audit", "list", "--subject", id);
    expect(code).toBe(0);
    const [facts = "", table = ""] = stdout.split("\n\n");
    expect(facts).toMatch(/^narrow +no\nreaches to +20\S+Z$/);
    expect(
      table
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/).slice(1)),
    ).toEqual([
      ["PLATFORM", "ACTOR", "OPERATION", "SUBJECT", "OUTCOME", "ADDRESS"],
      [platformId, "claim:ada", "records.get", id, "done", "-"],
      [platformId, `key_${platformId}`, "kyc.submit", id, "done", "127.0.0.1"],
    ]);
    const search = ["audit", "list", "--subject", id, "--limit", "1"];
    const [, cursor = ""] = /There are more: --cursor (\S+)\.\n$/.exec((await cli(...search)).stdout) ?? [];
    const next = JSON.parse((await cli(...search, "--cursor", cursor, "--json")).stdout);
    expect(next.entries).toMatchObject([{ operation: "kyc.submit", subject: id, by: null }]);
    expect((await cli("audit", "list", "--subject", "kyc_none")).stdout).toContain("No entries.");
  });

  it("records operators under the name of their account, unless they give another name", async () => {
    const id = await submit();
    const account = `claim:${userInfo().username}`;
    await cli("records", "refresh", id);
    await cli("records", "resolve", "--refused", id);
    const { entries } = JSON.parse((await cli("audit", "list", platformId, "--limit", "2", "--json")).stdout);
    expect(entries).toMatchObject([
      { actor: account, operation: "records.refresh", subject: id },
      { operation: "kyc.submit", subject: id },
    ]);
  });

  it("reports a valid chain, and accepts its last checkpoint in --known", async () => {
    await submit();
    await checkpoint();
    const { last, checkpoints, entries, pending, problems } = await verify();
    expect([pending, problems]).toEqual([0, []]);
    const known = `${last.number}:${last.hash}`;
    expect(await cli("audit", "verify", platformId, "--known", known)).toEqual({
      code: 0,
      stdout:
        `The audit of ${platformId} is valid: ${entries} entries under ${checkpoints} checkpoints. Later entries: 0.\n` +
        `Its last checkpoint, to store elsewhere and to pass to --known: ${known}\n`,
      stderr: "",
    });
    const other = `${last.number + 1}:${last.hash}`;
    const { code, stderr } = await cli("audit", "verify", platformId, "--known", other);
    expect([code, stderr]).toEqual([1, expect.stringContaining("the end of the chain was cut off")]);
  });

  it("reports a deleted entry, and fails", async () => {
    await submit();
    await checkpoint();
    await admin.query("delete from audit_entries where id = (select min(id) from audit_entries)");
    const { code, stdout, stderr } = await cli("audit", "verify", platformId);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^The audit of plt_demo_one is invalid\.\nUnder checkpoint 1, .* missing\.\n$/);
  });

  it("suggests a check of FINGERPRINT_KEY when no entry is valid", async () => {
    const env = { ...world.env, FINGERPRINT_KEY: "another one, of more than 32 letters" };
    const { code, stderr } = await runCommand(["audit", "verify", platformId], env);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("Check that FINGERPRINT_KEY is the service's."),
    ]);
  });

  it("does not report an empty audit as a valid chain", async () => {
    expect(await cli("audit", "verify", "plt_none")).toEqual({
      code: 1,
      stdout: "",
      stderr: "The audit of plt_none is empty: check the platform's id.\n",
    });
    expect((await cli("audit", "list", "plt_none")).stderr).toBe("There is no such platform.\n");
  });

  it.each([
    [["audit", "verify"], "missing required argument"],
    [["audit", "verify", "plt_1", "--known", "17"], "Give number:hash"],
    [["--by", "Ada Lovelace", "records", "get", "kyc_1"], "Give 1 to 64 letters"],
    [["audit"], "Usage: cardbridge audit"],
  ])("distinguishes wrong usage from failure: %j", async (args, message) => {
    const { code, stderr } = await cli(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
