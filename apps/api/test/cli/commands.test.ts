import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { cellsOf, runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/*
 * What the commands of the other nouns print, and that each is audited. The operations have their own tests. The database
 * of the service has users that are encrypted with version 1.
 */

const version = (number: number) => `${number}:${Buffer.alloc(32, number).toString("base64")}`;
const ring = (...numbers: number[]) => ({ KEY_RING: numbers.map(version).join(",") });
const env = { ...ring(1), FINGERPRINT_KEY: Buffer.alloc(48, 9).toString("base64"), FOUR_EYES: "off" };

let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false, env });
});
afterAll(() => world.stop());

const platform = ["--platform", "plt_demo_one"];
/** Everything that was printed, and the names of users that it must not contain. */
const printed: string[] = [];
const names: string[] = [];

async function cli(...args: string[]) {
  const result = await runCommand(["--by", "ada", ...args], world.env);
  printed.push(result.stdout, result.stderr);
  return result;
}
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);
const lastEntry = async (platformId = "plt_demo_one") => (await json("audit", "list", platformId)).entries[0];

/** A user with one record. */
async function someone(tag?: string) {
  const submission = newSubmission(tag);
  names.push(submission.memberId, submission.email.slice(0, 12));
  const { body } = await restSubmit(world.caller(), submission);
  return { ...submission, ...(body as { externalUserId: string; kycRecordId: string }) };
}

describe("users", () => {
  it("are shown by any of their names, without them", async () => {
    const { memberId, email, externalUserId, kycRecordId } = await someone();
    const shown = await cli("users", "show", ...platform, externalUserId);
    const [facts = "", records = ""] = shown.stdout.split("\n\n");
    const time = expect.stringMatching(/Z$/);
    expect(Object.fromEntries(cellsOf(facts))).toEqual({
      ...{ platform: "plt_demo_one", "external user": externalUserId, created: time },
      ...{ erasure: "none", held: "no", version: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ...{ "standing approval": kycRecordId, "masked email": expect.stringMatching(/^.•••@.•••\.\w+$/) },
      next: expect.stringMatching(/^[A-Z].*\.$/),
    });
    expect(cellsOf(records)).toEqual([
      ["KYC RECORD", "RESOLUTION", "STATUS", "DOCUMENT EXPIRY", "CREATED"],
      [kycRecordId, "answered", "APPROVED", "valid", time],
    ]);
    expect(await cli("users", "show", ...platform, "--member-id", memberId)).toEqual(shown);
    expect(await cli("users", "show", ...platform, "--email", email.toUpperCase())).toEqual(shown);
    const entry = { actor: "claim:ada", operation: "users.show", subject: externalUserId, outcome: "done" };
    expect(await lastEntry()).toMatchObject(entry);
  });

  it("are relinked and erased", async () => {
    const [one, other] = [await someone(), await someone("mismatched")];
    const { email } = newSubmission();
    names.push(email.slice(0, 12));
    const relink = ["users", "relink", ...platform, one.externalUserId, "--email"];
    expect(await cli(...relink, other.email)).toMatchObject({
      code: 1,
      stderr: "The e-mail or the member id already belongs to another user of this platform.\n",
    });
    expect(await lastEntry()).toMatchObject({
      operation: "users.relink",
      outcome: "USER_IDENTITY_CONFLICT",
    });
    expect((await cli(...relink, email)).stdout).toMatch(
      new RegExp(`^external user +${one.externalUserId}$`, "m"),
    );
    expect((await cli("users", "show", ...platform, "--email", one.email)).code).toBe(1);
    const erased = await cli("users", "erase", ...platform, other.externalUserId);
    expect(erased.stdout).toMatch(/^erasure +requested$/m);
    expect(erased.stdout).toMatch(new RegExp(`^${other.kycRecordId} +unresolved`, "m"));
  });
});

it("a legal hold is placed on a user or a record, listed and lifted", async () => {
  const { externalUserId, kycRecordId } = await someone();
  const on = ["--record", kycRecordId, "--reference", "case/8", "--until", "2999-01-31"];
  expect(await json("holds", "place", ...platform, ...on)).toMatchObject({
    kycRecordId,
    until: "2999-02-01T00:00:00.000Z",
  });
  const hold = await json("holds", "place", ...platform, "--user", externalUserId, "--reference", "case/7");
  await cli("users", "erase", ...platform, externalUserId);
  expect((await cli("holds", "list", ...platform, "--active")).stdout).toMatch(
    new RegExp(`^${hold.holdId} +${externalUserId} .*case/7 +yes .*claim:ada .* requested$`, "m"),
  );
  expect((await cli("holds", "lift", ...platform, hold.holdId)).stdout).toMatch(/^lifted by +claim:ada$/m);
  expect(await lastEntry()).toMatchObject({ operation: "holds.lift", subject: externalUserId });
});

it("the provider is paused for two hours, which the command line obeys too, and resumed", async () => {
  const { kycRecordId } = await someone();
  const pause = await json("pauses", "pause-provider", "--reason", "Maintenance", "--until", "2h");
  expect(Date.parse(pause.until) - Date.parse(pause.pausedAt)).toBeCloseTo(7_200_000, -5);
  expect(await lastEntry("internal")).toMatchObject({
    operation: "pauses.pauseProvider",
    actor: "claim:ada",
  });
  expect(await cli("records", "refresh", kycRecordId)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The operator paused calls to the card provider"),
  });
  expect((await cli("pauses", "list", "--active")).stdout).toMatch(
    new RegExp(`^${pause.pauseId} +provider +active .*Maintenance$`, "m"),
  );
  expect((await cli("pauses", "resume", pause.pauseId)).stdout).toMatch(/^resumed by +claim:ada$/m);
  expect((await cli("records", "refresh", kycRecordId)).code).toBe(0);
});

it("a webhook endpoint is created, tested, disabled, redelivered to, and deleted", async () => {
  const webhooks = (verb: string, ...args: string[]) => cli("webhooks", verb, ...args, ...platform);
  const created = await webhooks("create", "--url", "https://hooks.example.com/", "--events", "kyc.updated");
  expect(created.stdout).toMatch(/^whsec_\S+\n$/);
  expect(created.stderr).not.toContain(created.stdout.trim());
  const [endpointId = ""] = /whe_[0-9a-z]{26}/.exec(created.stderr) ?? [];
  const { kycRecordId } = await someone();
  expect((await cli("records", "get", kycRecordId)).stdout).toMatch(
    new RegExp(`whd_\\S+ +kyc\\.updated +1 +pending +0 .* ${endpointId}$`, "m"),
  );
  // Disabling an endpoint fails its pending deliveries.
  expect((await webhooks("update", endpointId, "--enabled", "false")).stdout).toMatch(/^enabled +no$/m);
  expect((await webhooks("list")).stdout).toMatch(new RegExp(`^${endpointId} +no +requested `, "m"));
  expect(await webhooks("test", endpointId)).toMatchObject({
    code: 1,
    stderr: `${endpointId} is disabled: enable it first.\n`,
  });
  await webhooks("update", endpointId, "--enabled", "true");
  const found = cellsOf(
    (await cli("webhooks", "search-deliveries", "--status", "failed")).stdout.split("\n\n").at(-1) ?? "",
  );
  expect(found.at(0)).toEqual(
    "CREATED,PLATFORM NAME,STATUS,ATTEMPTS,TYPE,KYC RECORD,ENDPOINT,DELIVERY".split(","),
  );
  const many = ["webhooks", "redeliver-many", "--endpoint-id", endpointId, "--preview"];
  expect((await cli(...many, "true")).stdout).toMatch(/^[1-9] deliveries can be sent again\.\n$/);
  expect((await cli(...many, "false")).stdout).toMatch(/^([1-9]) of \1 deliveries are due now\.\n$/);
  const rotated = await webhooks("rotate-secret", endpointId, "--overlap", "0");
  expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
  const health = cellsOf((await cli("webhooks", "endpoint-health")).stdout);
  expect(health.at(1)).toEqual(expect.arrayContaining([endpointId, "Demo One", "yes"]));
  expect((await webhooks("delete", endpointId)).code).toBe(0);
});

it("the status of the service is shown", async () => {
  const { stdout } = await cli("service", "status");
  expect(stdout).toMatch(/^environment +test$/m);
  expect(stdout).toMatch(/RATE_LIMIT_READS +6000\/60/);
});

it.each([
  ["users show --platform plt_demo_one", 2, "[externalUserId]: Identify the user by exactly one"],
  ["users show --platform plt_demo_one --email nobody", 2, "--email: Send"],
  ["users show usr_1", 2, "required option '--platform <id>'"],
  ["users show --platform plt_none usr_1", 1, "There is no such platform."],
  ["users show --platform internal usr_1", 1, "There is no such platform."],
  ["users show --platform plt_demo_two usr_none", 1, "There is no such user on this platform."],
  ["users relink --platform plt_demo_one usr_1", 2, "--email: Send a new e-mail"],
  ["holds place --platform plt_demo_one --user usr_1", 2, "required option '--reference"],
  [
    "holds place --platform plt_demo_one --reference case/9",
    2,
    "--user: Send the externalUserId of the user, or",
  ],
  ["holds place --platform plt_demo_one --record kyc_none --reference case/9", 1, "There is no KYC record"],
  ["holds lift --platform plt_demo_one hold_none", 1, "There is no such legal hold on this platform."],
  ["pauses pause-provider --reason x --until never", 2, "Give a duration"],
  ["pauses resume pause_nobody", 1, "There is no such pause."],
  [
    "webhooks create --platform plt_demo_one --url http://a.b --events kyc.updated",
    2,
    "--url: Send an https URL",
  ],
  [
    "webhooks update --platform plt_demo_one whe_1",
    2,
    "Send at least one of url, eventTypes, description, enabled.",
  ],
  ["webhooks update --platform plt_demo_one whe_1 --enabled maybe", 2, "--enabled: Send "],
  ["encryption-keys rewrap --to 1", 2, "unknown option '--to'"],
  ["audit verify plt_1 --known 17", 2, "Give number:hash"],
  ["audit verify plt_none", 1, "There is no such platform."],
  ["audit", 2, "Usage: cardbridge audit"],
])("reports the error of: %s", async (line, exitCode, message) => {
  const { code, stdout, stderr } = await cli(...line.split(" "));
  expect([code, stdout]).toEqual([exitCode, ""]);
  expect(stderr).toContain(message);
});

it("encryption keys: every user is rewrapped to the current version, and then an old version is removable", async () => {
  await someone();
  const both = { ...world.env, ...ring(2, 1) };
  const status = async () => {
    const [titles = [], ...rows] = cellsOf((await runCommand(["encryption-keys", "status"], both)).stdout);
    return rows.map((row) => Object.fromEntries(row.map((cell, index) => [titles[index], cell])));
  };
  const before = await status();
  expect(before).toMatchObject([
    { VERSION: "1", USERS: expect.stringMatching(/^[1-9]/), CURRENT: "no", REMOVABLE: "no" },
    { VERSION: "2", USERS: "0", CURRENT: "yes", REMOVABLE: "no" },
  ]);
  expect(await runCommand(["encryption-keys", "rewrap"], both)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^version +2\nrewrapped +[1-9]\d*\nfailed +0\n$/),
  });
  expect(await status()).toMatchObject([
    { VERSION: "1", USERS: "0", REMOVABLE: "yes" },
    { VERSION: "2", USERS: before[0]?.USERS, CURRENT: "yes" },
  ]);
  const wrong = { ...both, KEY_RING: `1:${Buffer.alloc(32, 7).toString("base64")},${version(2)}` };
  const { code, stderr } = await runCommand(["encryption-keys", "rewrap"], wrong);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^KEY_RING version 1 differs from the key/)]);
});

it("no name of a user is printed, audited or logged", () => {
  const all = [...printed, ...world.lines].join("\n");
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(all).not.toContain(name);
});
