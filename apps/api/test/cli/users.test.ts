import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { makeInternalKey } from "../support/keys.ts";
import { operatorScopes } from "../support/operator-scopes.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { trpcClient } from "../support/trpc.ts";

/** The command line over a real database and a service that resolves no record by itself. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false, env: { FOUR_EYES: "off" } });
});
afterAll(() => world.stop());

const platform = ["--platform", "plt_demo_one"];
const nothing = { code: 0, stderr: "" };
/** Everything that was printed, audited or logged, and the names that it must not contain. */
const printed: string[] = [];
const names: string[] = [];

async function users(...args: string[]) {
  const result = await runCommand(["users", ...args], world.env);
  printed.push(result.stdout, result.stderr);
  return result;
}
const json = async (...args: string[]) => JSON.parse((await users(...args, "--json")).stdout);

/** The newest entry of a platform's audit. */
async function lastEntry(platformId = "plt_demo_one") {
  const { stdout } = await runCommand(["audit", "list", platformId, "--json"], world.env);
  printed.push(stdout);
  return JSON.parse(stdout).entries[0];
}

/** A user with one record. */
async function someone(tag?: string) {
  const { memberId, email, ...rest } = newSubmission(tag);
  names.push(memberId, email.slice(0, 12));
  const { body } = await restSubmit(world.caller(), { memberId, email, ...rest });
  const { externalUserId, kycRecordId } = body as { externalUserId: string; kycRecordId: string };
  return { memberId, email, externalUserId, kycRecordId };
}

describe("cardbridge users show", () => {
  it("shows the ids and statuses of a user by any of three names", async () => {
    const { memberId, email, externalUserId, kycRecordId } = await someone();
    const shown = await users("show", ...platform, externalUserId);
    expect(shown).toMatchObject(nothing);
    const [facts = "", records = ""] = shown.stdout.trimEnd().split("\n\n");
    expect(facts.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["platform", "plt_demo_one"],
      ["external user", externalUserId],
      ["created", expect.stringMatching(/Z$/)],
      ["erasure", "none"],
      ["held", "no"],
      ["version", expect.stringMatching(/^[0-9a-f]{32}$/)],
    ]);
    expect(records.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["KYC RECORD", "RESOLUTION", "STATUS", "CREATED"],
      [kycRecordId, "answered", "APPROVED", expect.stringMatching(/Z$/)],
    ]);
    expect(await users("show", ...platform, "--member-id", memberId)).toEqual(shown);
    expect(await users("show", ...platform, "--email", email.toUpperCase())).toEqual(shown);
    expect(await lastEntry()).toMatchObject({
      operation: "users.show",
      subject: externalUserId,
      outcome: "done",
    });
    expect(await json("show", ...platform, "--email", email)).toEqual({
      platformId: "plt_demo_one",
      externalUserId,
      createdAt: expect.stringMatching(/Z$/),
      erasure: "none",
      held: false,
      version: expect.any(String),
      records: [
        {
          ...{ kycRecordId, resolution: "answered", status: "APPROVED", needsAttentionSince: null },
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it("finds no user of another platform, and audits the request without the name", async () => {
    const { memberId } = await someone();
    expect(await users("show", "--platform", "plt_demo_two", "--member-id", memberId)).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no such user on this platform.\n",
    });
    expect(await lastEntry("plt_demo_two")).toMatchObject({
      operation: "users.show",
      subject: null,
      outcome: "USER_NOT_FOUND",
    });
  });
});

describe("cardbridge users relink", () => {
  it("replaces an e-mail or a member id, and the old value finds no user", async () => {
    const { externalUserId, memberId, email } = await someone();
    const { memberId: newMember, email: newEmail } = newSubmission();
    names.push(newMember, newEmail.slice(0, 12));
    expect(await users("relink", ...platform, externalUserId, "--email", newEmail)).toEqual({
      ...nothing,
      stdout: expect.stringMatching(new RegExp(`^external user +${externalUserId}$`, "m")),
    });
    expect(await lastEntry()).toMatchObject({
      operation: "users.relink",
      subject: externalUserId,
      outcome: "done",
    });
    expect(await users("show", ...platform, "--email", email)).toMatchObject({ code: 1 });
    expect(await json("show", ...platform, "--email", newEmail)).toMatchObject({ externalUserId });
    expect(await json("show", ...platform, "--member-id", memberId)).toMatchObject({ externalUserId });

    const moved = await json("relink", ...platform, externalUserId, "--member-id", newMember);
    expect(moved).toMatchObject({ externalUserId, erasure: "none" });
    expect(await users("show", ...platform, "--member-id", memberId)).toMatchObject({ code: 1 });
    expect(await json("show", ...platform, "--email", newEmail)).toMatchObject({ externalUserId });
    const submitted = { ...newSubmission(), memberId: newMember, email: newEmail };
    expect(await restSubmit(world.caller(), submitted)).toMatchObject({
      status: 409,
      body: { code: "KYC_ALREADY_SUBMITTED" },
    });
  });

  it("rejects another user's e-mail or member id, and changes nothing", async () => {
    const [one, other] = [await someone(), await someone()];
    const { email: unused } = newSubmission();
    for (const taken of [
      ["--email", other.email],
      ["--member-id", other.memberId, "--email", unused],
    ]) {
      expect(await users("relink", ...platform, one.externalUserId, ...taken)).toEqual({
        code: 1,
        stdout: "",
        stderr: "The e-mail or the member id already belongs to another user of this platform.\n",
      });
      expect(await lastEntry()).toMatchObject({
        operation: "users.relink",
        subject: one.externalUserId,
        outcome: "USER_IDENTITY_CONFLICT",
      });
    }
    for (const { email, memberId, externalUserId } of [one, other]) {
      expect(await json("show", ...platform, "--email", email)).toMatchObject({ externalUserId });
      expect(await json("show", ...platform, "--member-id", memberId)).toMatchObject({ externalUserId });
    }
  });
});

describe("cardbridge users erase", () => {
  it("requests the erasure, and accepts a repeated request", async () => {
    const { externalUserId, memberId } = await someone();
    const asked = {
      ...nothing,
      stdout: expect.stringMatching(/^erasure +requested$/m),
    };
    expect(await users("erase", ...platform, externalUserId)).toEqual(asked);
    expect(await lastEntry()).toMatchObject({
      operation: "users.erase",
      subject: externalUserId,
      outcome: "done",
    });
    expect(await users("erase", ...platform, externalUserId)).toEqual(asked);
    expect(await json("show", ...platform, externalUserId)).toMatchObject({ erasure: "requested" });

    const again = { ...newSubmission(), memberId };
    expect(await restSubmit(world.caller(), again)).toMatchObject({ status: 409 });
  });

  it("names the unresolved records that it waits for", async () => {
    const { externalUserId, kycRecordId } = await someone("mismatched");
    const [record] = (await json("show", ...platform, externalUserId)).records;
    expect(record).toMatchObject({ kycRecordId, resolution: "unresolved", status: null });
    expect((await users("erase", ...platform, externalUserId)).stdout).toMatch(
      new RegExp(`^${kycRecordId} +unresolved`, "m"),
    );
  });
});

it("users.show and users.erase work over tRPC for a key that has only the scope admin", async () => {
  const { externalUserId } = await someone();
  const key = await makeInternalKey(world.adminUrl, operatorScopes);
  const client = trpcClient({ url: world.url, apiKey: key });
  const reference = { platformId: "plt_demo_one", externalUserId };
  expect(await client.users.show.query(reference)).toMatchObject({ ...reference, erasure: "none" });
  expect(await client.users.erase.mutate(reference)).toMatchObject({ erasure: "requested" });
  expect(await lastEntry()).toMatchObject({
    operation: "users.erase",
    subject: externalUserId,
    address: "127.0.0.1",
  });
});

it.each([
  [["show", ...platform], 2, "[externalUserId]: Identify the user by exactly one"],
  [
    ["show", ...platform, "usr_1", "--email", "a@example.com"],
    2,
    "[externalUserId]: Identify the user by exactly one",
  ],
  [["show", ...platform, "--email", "nobody"], 2, "--email: Send"],
  [["show", "usr_1"], 2, "required option '--platform <id>'"],
  [["show", "--platform", "plt_none", "usr_1"], 1, "There is no such platform."],
  [["show", "--platform", "internal", "usr_1"], 1, "There is no such platform."],
  [["show", ...platform, "usr_none"], 1, "There is no such user on this platform."],
  [["relink", ...platform, "usr_1"], 2, "--email: Send a new e-mail"],
  [["relink", ...platform, "usr_1", "--email", "nobody"], 2, "--email: Send"],
  [["relink", ...platform, "--email", "a@example.com"], 2, "missing required argument"],
  [["relink", ...platform, "usr_none", "--email", "a@example.com"], 1, "There is no such user"],
  [["relink", "--platform", "plt_none", "usr_1", "--email", "a@example.com"], 1, "no such platform"],
  [["erase", ...platform], 2, "missing required argument"],
  [["erase", ...platform, "usr none"], 2, "<externalUserId>: Send"],
  [["erase", ...platform, "usr_none"], 1, "There is no such user on this platform."],
  [["erase", "--platform", "plt_none", "usr_1"], 1, "There is no such platform."],
  [[], 2, "Usage: cardbridge users"],
])("reports the error of: %j", async (args, exitCode, message) => {
  const { code, stdout, stderr } = await users(...args);
  expect([code, stdout]).toEqual([exitCode, ""]);
  expect(stderr).toContain(message);
});

it("no name of a user is printed, audited or logged", async () => {
  const all = [...printed, ...world.lines].join("\n");
  expect(names.length).toBeGreaterThan(6);
  for (const name of names) expect(all).not.toContain(name);
});
