import type { Person } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { readAnswer } from "../support/call.ts";
import { fakeApp, fakePorts, fullKey, knownPlatforms } from "../support/fakes.ts";

/** The platform of a call in its input, over tRPC. */
const appKey = generateApiKey("test", "internal");
const listScopes = ["cards:read", "kyc:write", "kyc:read", "webhooks:read"] as const;
const header = { "x-cardbridge-platform": "plt_1" };
const someone = { memberId: "member-1" };

function service(options: { person?: Person; calls?: number } = {}) {
  const asked: string[] = [];
  const { ports } = fakePorts();
  const { find } = ports.users;
  ports.users.find = (platformId, who) => {
    asked.push(platformId);
    return find(platformId, who);
  };
  ports.cache = knownPlatforms((platformId) => platformId.startsWith("plt_"));
  const { calls } = options;
  const { app, lines } = fakeApp({
    ports,
    keys: { [appKey]: listScopes },
    personOf: () => options.person,
    rateOf: () => (calls === undefined ? undefined : { calls, seconds: 60 }),
    now: () => 0,
  });
  const get = (path: string, input: unknown, headers: Record<string, string> = {}, key = appKey) =>
    app.request(
      `/trpc/${path}${path.includes("?") ? "&" : "?"}input=${encodeURIComponent(JSON.stringify(input))}`,
      {
        headers: { authorization: `Bearer ${key}`, ...headers },
      },
    );
  const list = async (input: unknown, headers?: Record<string, string>, key?: string) =>
    readAnswer(await get("cards.list", input, headers, key));
  return { app, asked, lines, get, list };
}

const violation = (path: string, rule: string) => ({
  status: 400,
  body: { errors: [expect.objectContaining({ path, rule })] },
});

describe("the platform in an input", () => {
  it("is the platform of the call, and the operation does not see it", async () => {
    const { list, asked, lines } = service();
    expect(await list({ ...someone, platformId: "plt_2" })).toMatchObject({
      status: 200,
      body: { total: 1 },
    });
    expect(asked).toEqual(["plt_2"]);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ msg: "request", platformId: "plt_2" });
  });

  it("can differ in each call of a batch, and fails for one call alone", async () => {
    const { get, asked } = service();
    const platforms = ["plt_1", "plt_2", "none", "plt_3", undefined];
    const inputs = Object.fromEntries(platforms.map((platformId, i) => [i, { ...someone, platformId }]));
    const path = platforms.map(() => "cards.list").join();
    const response = await get(`${path}?batch=1`, inputs);
    const parts = (await response.json()) as { error?: { data: { problem: { code: string } } } }[];
    expect(parts.map(({ error }) => error?.data.problem.code)).toEqual([
      undefined,
      undefined,
      "PLATFORM_NOT_FOUND",
      undefined,
      "INVALID_INPUT",
    ]);
    expect(asked.toSorted()).toEqual(["plt_1", "plt_2", "plt_3"]);
  });

  it("may equal the header, and is refused with all other violations if it differs", async () => {
    const { list } = service();
    expect((await list({ ...someone, platformId: "plt_1" }, header)).status).toBe(200);
    expect(await list({ ...someone, platformId: "plt_2" }, header)).toMatchObject(
      violation("platformId", "one-platform"),
    );
    const { body } = await list({ page: 0, platformId: "plt_2" }, header);
    expect(body).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ rule: "one-platform" }),
        expect.objectContaining({ path: "page" }),
      ]),
    });
  });

  it.each([["a b"], [7], [null], [""], ["x".repeat(65)]])(
    "is refused in a wrong format, with one violation: %j",
    async (platformId) => {
      const { list, asked } = service();
      const { status, body } = await list({ ...someone, platformId });
      expect([status, (body as { errors: { path: string }[] }).errors.map(({ path }) => path)]).toEqual([
        400,
        ["platformId"],
      ]);
      expect(asked).toEqual([]);
    },
  );

  it("with a platform's key is its own platform only", async () => {
    const { list, asked } = service();
    expect((await list({ ...someone, platformId: "plt_1" }, {}, fullKey)).status).toBe(200);
    for (const platformId of ["plt_2", "internal", "unknown"]) {
      expect(await list({ ...someone, platformId }, {}, fullKey)).toMatchObject({
        status: 403,
        body: { code: "PLATFORM_FORBIDDEN" },
      });
    }
    expect(asked).toEqual(["plt_1"]);
  });

  it("is one that the person may access; others look as if they did not exist", async () => {
    const person: Person = {
      personId: "per_1",
      roles: ["support"],
      platforms: ["plt_2"],
      authenticatedAt: null,
      expiresAt: new Date(Date.now() + 60_000),
    };
    const { list } = service({ person });
    expect((await list({ ...someone, platformId: "plt_2" })).status).toBe(200);
    const others = [
      await list({ ...someone, platformId: "plt_1" }),
      await list({ ...someone, platformId: "x" }),
    ];
    for (const { status, body } of others) {
      expect([status, body]).toEqual([404, expect.objectContaining({ code: "PLATFORM_NOT_FOUND" })]);
    }
  });

  it("changes neither the app's rate nor another one's", async () => {
    const { list } = service({ calls: 2 });
    const codes = [];
    for (const platformId of ["plt_1", "plt_2", "plt_3"]) {
      codes.push((await list({ ...someone, platformId })).status);
    }
    expect(codes).toEqual([200, 200, 429]);
    expect((await list(someone, {}, fullKey)).status).toBe(200);
  });
});
