import { afterAll, beforeAll, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The command line over a real database and a service that resolves no record by itself. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false, env: { FOUR_EYES: "off" } });
});
afterAll(() => world.stop());

const platform = ["--platform", "plt_demo_one"];
const cli = (...args: string[]) => runCommand(["--by", "ada", ...args], world.env);
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);

async function someone(): Promise<{ externalUserId: string; kycRecordId: string }> {
  const { body } = await restSubmit(world.caller(), newSubmission());
  return body as { externalUserId: string; kycRecordId: string };
}
const lastEntry = async () => (await json("audit", "list", "plt_demo_one")).entries[0];

it("places a hold on a user, which an erasure meets, and lifts it", async () => {
  const { externalUserId } = await someone();
  const hold = await json("holds", "place", ...platform, "--user", externalUserId, "--reference", "case/7");
  expect(hold).toMatchObject({ externalUserId, kycRecordId: null, active: true, until: null });
  const entry = { actor: "claim:ada", subject: externalUserId, outcome: "done" };
  expect(await lastEntry()).toMatchObject({ ...entry, operation: "holds.place" });
  const erasure = await json("users", "erase", ...platform, externalUserId);
  expect(erasure).toMatchObject({ erasure: "requested", held: true });
  expect((await cli("holds", "list", ...platform, "--active")).stdout).toMatch(
    new RegExp(`^${hold.holdId} +${externalUserId} +case/7 +yes +claim:ada .* requested$`, "m"),
  );
  expect(await cli("holds", "lift", ...platform, hold.holdId)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^lifted by +claim:ada$/m),
  });
  expect(await lastEntry()).toMatchObject({ ...entry, operation: "holds.lift" });
  expect(await json("users", "show", ...platform, externalUserId)).toMatchObject({ held: false });
  expect((await json("holds", "list", ...platform, "--user", externalUserId)).holds).toHaveLength(1);
});

it("places a hold on a record until the end of a date", async () => {
  const { kycRecordId } = await someone();
  const on = ["--record", kycRecordId, "--reference", "case/8", "--until", "2999-01-31"];
  expect(await json("holds", "place", ...platform, ...on)).toMatchObject({
    kycRecordId,
    until: "2999-02-01T00:00:00.000Z",
  });
  expect(await lastEntry()).toMatchObject({ operation: "holds.place", subject: kycRecordId });
});

it.each([
  [["--user", "usr_none", "--reference", "case/9"], 1, "There is no such user on this platform."],
  [["--record", "kyc_none", "--reference", "case/9"], 1, "There is no KYC record with this id."],
  [["--user", "usr_1"], 2, "required option '--reference"],
  [["--reference", "case/9"], 2, "--user: Send the externalUserId of the user, or the kycRecordId"],
  [["--user", "usr_1", "--record", "kyc_1", "--reference", "case/9"], 2, "--user: Send the externalUserId"],
  [["--user", "usr_1", "--reference", "Ada Lovelace"], 2, "--reference: Send the number of the case"],
  [
    ["--user", "usr_1", "--reference", "case/9", "--until", "2020-01-01"],
    2,
    "--until: Send a time in the future.",
  ],
])("refuses %j", async (args, code, message) => {
  const refused = await cli("holds", "place", ...platform, ...args);
  expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
  expect(refused.stderr).not.toContain("Lovelace");
});

it("lifts only a hold of the platform", async () => {
  expect(await cli("holds", "lift", ...platform, "hold_none")).toEqual({
    code: 1,
    stdout: "",
    stderr: "There is no such legal hold on this platform.\n",
  });
});
