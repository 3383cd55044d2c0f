import { afterAll, beforeAll, expect, it } from "vitest";
import { generateApiKey, hashApiKey, isWellFormed } from "../../src/admission/api-key.ts";
import { restList } from "../support/call.ts";
import { cellsOf, runCommand } from "../support/command-line.ts";
import { startTestService } from "../support/test-service.ts";

/** The command line, and the service over the same database. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false });
});
afterAll(() => world.stop());

/** Everything that was printed but new keys, and the keys. */
const printed: string[] = [];
const shown: string[] = [];

async function cli(...args: string[]) {
  const result = await runCommand(args, world.env);
  printed.push(result.stderr, result.stdout.replace(/^cb_\w+$|"key": "cb_\w+"/gm, ""));
  return result;
}
const platform = async (name: string) => (await cli("platforms", "create", name)).stdout.trim();

/** Creates or rotates a key: the key is alone on standard output, and its facts are on standard error. */
async function key(...args: string[]) {
  const { code, stdout, stderr } = await cli("keys", ...args);
  const [, keyId = ""] = /^key +(key_\w+)$/m.exec(stderr) ?? [];
  expect([code, isWellFormed(stdout.trim()), stdout.split("\n").length]).toEqual([0, true, 2]);
  expect(stderr).toContain("shown only once");
  shown.push(stdout.trim());
  return { key: stdout.trim(), keyId, facts: stderr };
}

/** The user is unknown: 404 means that the key was accepted. */
const [accepted, refused] = [404, 401];
const statusOf = async (key: string) => (await restList(world.caller(key), { memberId: "nobody" })).status;
const time = expect.stringMatching(/^20..-..-..T.*Z$/);

it("creates, renames and lists platforms", async () => {
  const { code, stdout, stderr } = await cli("platforms", "create", "Acme");
  expect([code, stdout, stderr]).toEqual([
    0,
    expect.stringMatching(/^plt_[0-9a-z]{26}\n$/),
    expect.stringMatching(/^name +Acme$/m),
  ]);
  const id = stdout.trim();
  expect(cellsOf((await cli("platforms", "rename", id, "Acme Ltd")).stdout)).toEqual(
    expect.arrayContaining([
      ["platform", id],
      ["name", "Acme Ltd"],
    ]),
  );
  const rows = cellsOf((await cli("platforms", "list")).stdout);
  expect(rows.at(0)).toEqual(["PLATFORM", "NAME", "CREATED", "STORED FILES", "STORED BYTES"]);
  expect(rows.at(-1)).toEqual([id, "Acme Ltd", time, "0", "0"]);
  expect((await cli("platforms", "list", "--limit", "1")).stdout).toMatch(
    /\n\nThere are more: raise --limit\.\n$/,
  );
});

it("prints a new key of a platform or of an internal app alone, and lists both without it", async () => {
  const id = await platform("Keys");
  const scopes = ["--scopes", "cards:read, kyc:read"];
  const backend = await key("create", "--platform", id, "--name", "a", ...scopes);
  await key("create", "--platform", id, "--name", "b", "--scopes", "cards:read", "--expires", "30");
  const internal = await key("create", "--internal", "--name", id, "--scopes", "cards:read");
  expect(internal.key).toMatch(/^cb_int_test_/);
  expect(await statusOf(backend.key)).toBe(accepted);
  const [titles, first, second] = cellsOf((await cli("keys", "list", "--platform", id)).stdout);
  expect(titles).toEqual("KEY,PREFIX,NAME,STATE,CREATED BY,EXPIRES,LAST USED,PLATFORM,SCOPES".split(","));
  const by = expect.stringMatching(/^claim:/);
  const facts = [backend.keyId, backend.key.slice(0, 12), "a", "live", by, time, time, id];
  expect(first).toEqual([...facts, "cards:read, kyc:read"]);
  expect(second?.slice(5, 7)).toEqual([time, "-"]);
  expect((await cli("keys", "list", "--internal")).stdout).toContain(internal.keyId);
});

it("shows a new key in JSON too, once, which expires after the given day", async () => {
  const id = await platform("JSON");
  const args = ["--platform", id, "--name", "a", "--scopes", "cards:read", "--expires", "2099-12-31"];
  const made = JSON.parse((await cli("keys", "create", ...args, "--json")).stdout);
  shown.push(made.key);
  expect(made).toMatchObject({ platformId: id, state: "live", expiresAt: "2100-01-01T00:00:00.000Z" });
});

it("rotates a key with an overlap or without one, and revokes it", async () => {
  const id = await platform("Rotation");
  const first = await key(
    "create",
    "--platform",
    id,
    "--name",
    "a",
    "--scopes",
    "cards:read",
    "--expires",
    "9",
  );
  const second = await key("rotate", first.keyId, "--overlap", "0", "--expires", "never");
  expect(second.facts).toMatch(/^predecessor state +expired$/m);
  expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([refused, accepted]);
  const third = await key("rotate", second.keyId, "--expires", "90");
  expect(third.facts).toMatch(
    new RegExp(`^expires +20[^]*^predecessor key +${second.keyId}$[^]*^predecessor expires +20`, "m"),
  );
  expect([await statusOf(second.key), await statusOf(third.key)]).toEqual([accepted, accepted]);
  expect((await cli("keys", "revoke", third.keyId)).stdout).toMatch(/^state +revoked$/m);
  expect(await statusOf(third.key)).toBe(refused);
});

const create = ["create", "--name", "x", "--scopes", "cards:read"];
it.each([
  [create, 2, "--platform, --internal: This field is required."],
  [[...create, "--platform", "plt_1", "--internal"], 2, "cannot be used with"],
  [["create", "--platform", "plt_1", "--name", "x"], 2, "required option '--scopes <scopes...>'"],
  [[...create, "--platform", "plt_1", "--expires", "2027-02-30"], 2, "Give a number of days, a date"],
  [[...create, "--platform", "plt_1", "--expires", "2020-01-01"], 2, "--expires: Send a date in the"],
  [[...create, "--platform", "plt_none"], 1, "There is no such platform."],
  [["rotate", "key_none", "--overlap", "a day"], 2, "--overlap: Send "],
  [["revoke", "key_none"], 1, "There is no such API key."],
  [["revoke", generateApiKey("test")], 1, "This is an API key: treat it as leaked."],
])("reports the error of: %j", async (args, exitCode, message) => {
  const { code, stdout, stderr } = await cli("keys", ...args);
  expect([code, stdout]).toEqual([exitCode, ""]);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/cb_test_\w/);
});

it("a key is printed only when it is created, and never logged", () => {
  const all = [...printed, ...world.lines].join("\n");
  expect(shown.length).toBeGreaterThan(6);
  for (const key of shown) {
    expect(all).not.toContain(key.slice(12));
    expect(all).not.toContain(hashApiKey(key).toString("hex"));
  }
  expect(all).toContain('"status":401');
});
