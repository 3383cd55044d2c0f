import { afterAll, beforeAll, expect, it } from "vitest";
import { parseEnd } from "../../src/cli/pauses.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Pauses and the requeue of many records at the command line, over a real database. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false });
});
afterAll(() => world.stop());

const cli = (...args: string[]) => runCommand(["--by", "ada", ...args], world.env);
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);
const lastEntry = async (platformId: string) => (await json("audit", "list", platformId)).entries[0];

it("pauses the provider for two hours, which the command line obeys too, and resumes", async () => {
  const { body } = await restSubmit(world.caller(), newSubmission());
  const { kycRecordId } = body as { kycRecordId: string };
  const pause = await json("pauses", "pause-provider", "--reason", "Maintenance", "--until", "2h");
  expect(pause).toMatchObject({ target: "provider", state: "active", pausedBy: "claim:ada", person: null });
  expect(Date.parse(pause.until) - Date.parse(pause.pausedAt)).toBeCloseTo(7_200_000, -5);
  expect(await lastEntry("internal")).toMatchObject({
    operation: "pauses.pauseProvider",
    subject: pause.pauseId,
    actor: "claim:ada",
  });
  expect(await cli("records", "refresh", kycRecordId)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The operator paused calls to the card provider"),
  });
  expect((await cli("pauses", "list", "--active")).stdout).toMatch(
    new RegExp(`^${pause.pauseId} +provider +active .*Maintenance$`, "m"),
  );
  const again = await cli("pauses", "pause-provider", "--reason", "Again", "--until", "1h");
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("resume it first") });
  const resumed = await cli("pauses", "resume", pause.pauseId);
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^resumed by +claim:ada$/m) });
  expect((await cli("records", "refresh", kycRecordId)).code).toBe(0);
});

it("pauses a platform, with the audit entry there", async () => {
  const flags = ["--platform", "plt_demo_one", "--reason", "A leaked key", "--until", "90m"];
  const pause = await json("pauses", "pause-platform", ...flags);
  expect(pause).toMatchObject({ target: "platform", platformId: "plt_demo_one" });
  expect(await lastEntry("plt_demo_one")).toMatchObject({ operation: "pauses.pausePlatform" });
  expect((await cli("pauses", "resume", "pause_nobody")).stderr).toContain("There is no such pause.");
  await cli("pauses", "resume", pause.pauseId);
});

it("explains the end of a pause", async () => {
  expect((await cli("pauses", "pause-provider", "--help")).stdout).toContain("90m, 4h or 2d");
  const never = await cli("pauses", "pause-provider", "--reason", "x", "--until", "never");
  expect(never).toMatchObject({ code: 2, stderr: expect.stringContaining("Give a duration") });
  const late = await cli("pauses", "pause-provider", "--reason", "x", "--until", "31d");
  expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining("within 30 days") });
  const now = new Date("2027-01-31T12:00:00Z");
  expect(parseEnd("90m", now)).toBe("2027-01-31T13:30:00.000Z");
  expect(parseEnd("2027-01-31T14:00:00+01:00", now)).toBe("2027-01-31T14:00:00+01:00");
});

it("counts the records that need attention, requeues them, and says whether more remain", async () => {
  const flags = ["records", "requeue-many", "--platform-ids", "plt_demo_one"];
  expect(await json(...flags, "--preview")).toEqual({ matching: 0, requeued: 0, more: false });
  expect((await cli(...flags)).stdout).toMatch(/^requeued +0$/m);
});

it("shows the status of the service", async () => {
  const { stdout } = await cli("service", "status");
  expect(stdout).toMatch(/^environment +test$/m);
  expect(stdout).toMatch(/^provider name +cardbridge$/m);
  expect(stdout).toMatch(/RATE_LIMIT_READS +6000\/60/);
});
