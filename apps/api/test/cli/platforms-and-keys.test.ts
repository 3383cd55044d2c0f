import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey, hashApiKey, isWellFormed } from "../../src/admission/api-key.ts";
import { restList, trpcList } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { startTestService } from "../support/test-service.ts";

/** The command line, and the service over the same database. */
let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false });
});
afterAll(() => world.stop());

const printed: string[] = [];
const shown: string[] = [];

async function cli(...args: string[]) {
  const result = await runCommand(args, world.env);
  printed.push(result.stderr, result.stdout.replace(/^cb_\w+$|"key": "cb_\w+"/gm, ""));
  return result;
}
const keys = (...args: string[]) => cli("keys", ...args);
const json = async (...args: string[]) => JSON.parse((await cli(...args, "--json")).stdout);
const platform = async (name: string) => (await cli("platforms", "create", name)).stdout.trim();

/** Creates a key. Returns the key from standard output, and its id from standard error. */
async function key(...args: string[]): Promise<{ key: string; keyId: string }> {
  const { code, stdout, stderr } = await keys(...args);
  const [, keyId = ""] = /^key +(key_\w+)$/m.exec(stderr) ?? [];
  expect(stderr).toContain("shown only once");
  expect([code, isWellFormed(stdout.trim()), stdout.split("\n").length]).toEqual([0, true, 2]);
  expect(stderr).not.toContain(stdout.trim());
  shown.push(stdout.trim());
  return { key: stdout.trim(), keyId };
}

/** The status of a card list over REST and over tRPC, which must be equal. */
async function answers(key: string, headers: Record<string, string> = {}): Promise<number> {
  const fetching = (path: string, init?: RequestInit) =>
    fetch(`${world.url}${path}`, { ...init, headers: { ...init?.headers, ...headers } });
  const calls = [restList, trpcList].map((list) => list({ key, fetch: fetching }, { memberId: "nobody" }));
  const [rest, trpc] = await Promise.all(calls);
  expect(rest?.status).toBe(trpc?.status);
  return rest?.status ?? 0;
}
/** The user is unknown: 404 means that the key was accepted. */
const [taken, refused] = [404, 401];

async function asAdmin(statement: string): Promise<void> {
  const client = new Client(world.adminUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe("cardbridge platforms", () => {
  it("creates, lists and renames them", async () => {
    const { code, stdout, stderr } = await cli("platforms", "create", "Acme");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^name +Acme$/m)]);
    const id = stdout.trim();
    expect(stdout).toMatch(/^plt_[0-9a-z]{26}\n$/);
    expect(await cli("platforms", "rename", id, "Acme Ltd")).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^platform +${id}\nname +Acme Ltd\ncreated +20`)),
      stderr: "",
    });
    const [titles = "", ...lines] = (await cli("platforms", "list")).stdout.trimEnd().split("\n");
    expect(titles.split(/ {2,}/)).toEqual(["PLATFORM", "NAME", "CREATED", "STORED FILES", "STORED BYTES"]);
    expect(lines.at(-1)?.split(/ {2,}/)).toEqual([
      id,
      "Acme Ltd",
      expect.stringMatching(/^20..-..-..T.*Z$/),
      "0",
      "0",
    ]);
    expect((await json("platforms", "list")).platforms.at(-1)).toMatchObject({
      platformId: id,
      name: "Acme Ltd",
    });
    expect(await cli("platforms", "list", "--limit", "1")).toMatchObject({
      stdout: expect.stringMatching(/\n\nThere are more: raise --limit\.\n$/),
    });
    expect(await cli("platforms", "rename", "plt_none", "x")).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no such platform.\n",
    });
  });
});

describe("cardbridge keys", () => {
  it("prints a new key of a platform or an internal app alone on standard output", async () => {
    const id = await platform("Keys");
    const backend = await key("create", "--platform", id, "--name", "a", "--scopes", "cards:read, kyc:read");
    const expiring = await key(
      "create",
      "--platform",
      id,
      "--name",
      "b",
      "--scopes",
      "cards:read",
      "--expires",
      "30",
    );
    const internal = await key("create", "--internal", "--name", id, "--scopes", "cards:read");
    expect([backend, expiring, internal].map(({ key }) => key.replace(/[^_]+$/, ""))).toEqual([
      "cb_test_",
      "cb_test_",
      "cb_int_test_",
    ]);
    expect([await answers(backend.key), await answers(expiring.key)]).toEqual([taken, taken]);
    expect(await answers(internal.key)).toBe(400);
    expect(await answers(internal.key, { "x-cardbridge-platform": id })).toBe(taken);

    const { stdout } = await keys("list", "--platform", id);
    const [titles = "", ...lines] = stdout.trimEnd().split("\n");
    expect(titles.split(/ {2,}/)).toEqual([
      "KEY",
      "PREFIX",
      "NAME",
      "STATE",
      "CREATED BY",
      "EXPIRES",
      "LAST USED",
      "PLATFORM",
      "SCOPES",
    ]);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      [
        backend.keyId,
        backend.key.slice(0, 12),
        "a",
        "live",
        expect.stringMatching(/^claim:/),
        "-",
        expect.stringMatching(/^20.*Z$/),
        id,
        "cards:read, kyc:read",
      ],
      [
        expiring.keyId,
        expiring.key.slice(0, 12),
        "b",
        "live",
        expect.stringMatching(/^claim:/),
        expect.stringMatching(/^20.*Z$/),
        expect.stringMatching(/^20.*Z$/),
        id,
        "cards:read",
      ],
    ]);
    expect(await json("keys", "list", "--internal")).toMatchObject({
      keys: expect.arrayContaining([
        expect.objectContaining({ keyId: internal.keyId, platformId: "internal" }),
      ]),
      more: false,
    });
    expect(await keys("list", "--platform", "plt_none")).toMatchObject({
      stdout: "No keys.\n",
    });
  });

  it("shows a new key in JSON too, once", async () => {
    const id = await platform("JSON");
    const made = await json(
      "keys",
      "create",
      "--platform",
      id,
      "--name",
      "a",
      "--scopes",
      "cards:read",
      "--expires",
      "2099-12-31",
    );
    shown.push(made.key);
    expect(made).toMatchObject({ platformId: id, state: "live", expiresAt: "2100-01-01T00:00:00.000Z" });
    expect(await answers(made.key)).toBe(taken);
    expect((await keys("list", "--json")).stdout).not.toContain(made.key);
  });

  it("rotates: both keys work during the overlap, then only the new one", async () => {
    const id = await platform("Rotation");
    const old = await key("create", "--platform", id, "--name", "a", "--scopes", "cards:read");
    expect(await answers(old.key)).toBe(taken);

    const before = Date.now();
    const next = await key("rotate", old.keyId);
    const after = Date.now();
    expect(printed.at(-2)).toMatch(
      new RegExp(`^predecessor key +${old.keyId}$[^]*^predecessor expires +20.*Z$`, "m"),
    );
    expect([await answers(old.key), await answers(next.key)]).toEqual([taken, taken]);
    const [newer, older] = (await json("keys", "list", "--platform", id)).keys;
    expect(newer).toMatchObject({ keyId: next.keyId, name: "a", scopes: ["cards:read"], expiresAt: null });
    expect(older.keyId).toBe(old.keyId);
    const rotatedAt = Date.parse(older.expiresAt) - 24 * 3_600_000;
    expect(rotatedAt).toBeGreaterThanOrEqual(before);
    expect(rotatedAt).toBeLessThanOrEqual(after);

    expect(await keys("rotate", next.keyId)).toEqual({
      code: 1,
      stdout: "",
      stderr: "Two live keys have its name: revoke one, or wait until one expires.\n",
    });
    await asAdmin(`update api_keys set expires_at = now() where id = '${old.keyId}'`);
    expect([await answers(old.key), await answers(next.key)]).toEqual([refused, taken]);
  });

  it("expires a leaked key at the time when its successor becomes valid", async () => {
    const id = await platform("Leak");
    const leaked = await key("create", "--platform", id, "--name", "a", "--scopes", "cards:read");
    const next = await key("rotate", leaked.keyId, "--overlap", "0");
    expect(printed.at(-2)).toMatch(/^predecessor state +expired$/m);
    expect([await answers(leaked.key), await answers(next.key)]).toEqual([refused, taken]);
  });

  it("revokes: the next call is refused", async () => {
    const id = await platform("Revoked");
    const { key: secret, keyId } = await key(
      "create",
      "--platform",
      id,
      "--name",
      "a",
      "--scopes",
      "cards:read",
    );
    expect(await answers(secret)).toBe(taken);
    expect(await keys("revoke", keyId)).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^key +${keyId}\n[^]*^state +revoked$`, "m")),
      stderr: "",
    });
    expect(await answers(secret)).toBe(refused);
    expect((await keys("list", "--platform", id)).stdout).toContain("  revoked  ");
    expect(await keys("rotate", keyId)).toMatchObject({
      code: 1,
      stderr: "The key is not live: create a new one.\n",
    });
  });

  it("sets the requested expiry of a successor, and requires an expiry if the predecessor has one", async () => {
    const id = await platform("Expiry");
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
    expect(await keys("rotate", first.keyId)).toMatchObject({
      code: 2,
      stderr: "--expires: The key expires. Send the expiry of its successor, or null for never.\n",
    });
    const second = await key("rotate", first.keyId, "--overlap", "0", "--expires", "never");
    expect(printed.at(-2)).not.toMatch(/^expires/m);
    await key("rotate", second.keyId, "--expires", "90");
    expect(printed.at(-2)).toMatch(/^expires +20/m);
  });

  const required = ["--name", "x", "--scopes", "cards:read"];
  it.each([
    [["create", ...required], 2, "--platform, --internal: This field is required."],
    [["create", ...required, "--platform", "plt_1", "--internal"], 2, "cannot be used with"],
    [["create", "--platform", "plt_1", "--name", "x"], 2, "required option '--scopes <scopes...>'"],
    [["create", "--platform", "plt_1", "--scopes", "cards:read"], 2, "required option '--name <name>'"],
    [
      ["create", ...required, "--platform", "plt_1", "--expires", "2027-02-30"],
      2,
      "Give a number of days, a date",
    ],
    [
      ["create", ...required, "--platform", "plt_1", "--expires", "2020-01-01"],
      2,
      "--expires: Send a date in the",
    ],
    [["create", ...required, "--platform", "plt 1"], 2, "--platform, --internal: Send"],
    [
      ["create", "--platform", "p", "--name", "x", "--scopes", "ops.audit"],
      2,
      "--scopes: Only keys of internal apps",
    ],
    [
      ["create", "--platform", "p", "--name", "x", "--scopes", "cards:red"],
      2,
      "--scopes: Send one of: cards:read,",
    ],
    [
      ["create", "--platform", "p", "--name", "\u0007", "--scopes", "cards:read"],
      2,
      "name: Send 1 to 64 characters",
    ],
    [["create", ...required, "--platform", "plt_none"], 1, "There is no such platform."],
    [["rotate", "key_none"], 1, "There is no such API key."],
    [["rotate", "key_none", "--overlap", "-1"], 2, "--overlap: Send at least 0."],
    [["rotate", "key_none", "--overlap", "a day"], 2, "--overlap: Send "],
    [["rotate", "key_none", "--overlap", "721"], 2, "--overlap: Send at most 720."],
    [["revoke", "key_none"], 1, "There is no such API key."],
    [["revoke"], 2, "missing required argument"],
    [["revoke", generateApiKey("test")], 1, "This is an API key: treat it as leaked."],
    [[], 2, "Usage: cardbridge keys"],
  ])("reports the error of: %j", async (args, exitCode, message) => {
    const { code, stdout, stderr } = await keys(...args);
    expect([code, stdout]).toEqual([exitCode, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/cb_live_\w/);
  });
});

it("a key is printed only when it is created, and never logged", () => {
  const all = [...printed, ...world.lines].join("\n");
  expect(shown.length).toBeGreaterThan(10);
  for (const key of shown) {
    expect(all).not.toContain(key.slice(12));
    expect(all).not.toContain(hashApiKey(key).toString("hex"));
  }
  expect(all).toContain('"status":401');
  expect(all).not.toContain("    at ");
});
