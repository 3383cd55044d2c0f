import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

const version = (number: number) => `${number}:${Buffer.alloc(32, number).toString("base64")}`;
const secrets = { FINGERPRINT_KEY: Buffer.alloc(48, 9).toString("base64") };
const rings = (...numbers: number[]) => ({ ...secrets, KEY_RING: numbers.map(version).join(",") });

/** The command line over a database whose users are all encrypted with version 1. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false, env: rings(1) });
  for (let user = 0; user < 3; user += 1) await restSubmit(world.caller(), newSubmission());
});
afterAll(() => world.stop());

const encryptionKeys = (ring: Record<string, string>, ...args: string[]) =>
  runCommand(["encryption-keys", ...args], { ...world.env, ...ring });
const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));

describe("cardbridge encryption-keys", () => {
  it("rewraps every user to the current version, and shows when an old version is removable", async () => {
    const before = JSON.parse((await encryptionKeys(rings(1, 2), "status", "--json")).stdout);
    const users = before.versions[0].users;
    expect(users).toBeGreaterThanOrEqual(3);
    expect(before).toEqual({
      versions: [
        {
          version: 1,
          users,
          files: 0,
          webhookEndpoints: 0,
          persons: 0,
          inRing: true,
          current: true,
          removable: false,
        },
        {
          version: 2,
          users: 0,
          files: 0,
          webhookEndpoints: 0,
          persons: 0,
          inRing: true,
          current: false,
          removable: true,
        },
      ],
    });
    expect(lines((await encryptionKeys(rings(2, 1), "status")).stdout)).toEqual([
      ["VERSION", "USERS", "FILES", "WEBHOOK ENDPOINTS", "PERSONS", "IN RING", "CURRENT", "REMOVABLE"],
      ["1", String(users), "0", "0", "0", "yes", "no", "no"],
      ["2", "0", "0", "0", "0", "yes", "yes", "no"],
    ]);

    expect(await encryptionKeys(rings(2, 1), "rewrap")).toEqual({
      code: 0,
      stdout: `version    2\nrewrapped  ${users}\nfailed     0\n`,
      stderr: "",
    });
    expect(lines((await encryptionKeys(rings(2, 1), "status")).stdout).slice(1)).toEqual([
      ["1", "0", "0", "0", "0", "yes", "no", "yes"],
      ["2", String(users), "0", "0", "0", "yes", "yes", "no"],
    ]);
    expect(await encryptionKeys(rings(2, 1), "rewrap")).toMatchObject({
      code: 0,
      stdout: "version    2\nrewrapped  0\nfailed     0\n",
    });
    expect(JSON.parse((await encryptionKeys(rings(2), "rewrap", "--json")).stdout)).toEqual({
      version: 2,
      rewrapped: 0,
      failed: 0,
      next: null,
    });
  });

  it.each([["status"], ["rewrap"]])(
    "%s reports which keys are wrong, and changes nothing",
    async (command) => {
      const wrong = { ...secrets, KEY_RING: `1:${Buffer.alloc(32, 7).toString("base64")},${version(2)}` };
      const { code, stdout, stderr } = await encryptionKeys(wrong, command);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(
        "KEY_RING version 1 differs from the key that this database was first used with.",
      );
      expect(stderr).not.toContain(wrong.KEY_RING.slice(2, 20));
    },
  );

  it.each([[[]], [["take"]], [["status", "1"]], [["rewrap", "--to", "1"]]])(
    "returns exit code 2 for wrong usage: %j",
    async (args) => {
      const { code, stdout } = await encryptionKeys(rings(1), ...args);
      expect([code, stdout]).toEqual([2, ""]);
    },
  );
});
