import { type PauseState, platformScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { restList, restSubmit, trpcList, trpcSubmit } from "../support/call.ts";
import { fakeApp, fullKey, uploadPath } from "../support/fakes.ts";

const internal = generateApiKey("test", "internal");
const other = generateApiKey("test");
const someone = { memberId: "member-1" };
const until = new Date(Date.now() + 3_600_000);

/** An app whose platform plt_1 is paused until the state has no pause. */
function pausedApp() {
  const state: { pause: PauseState | null } = { pause: { reason: "Calls after a leaked key", until } };
  const { app, refusedByHead, lookUps } = fakeApp({
    keys: { [internal]: [...platformScope.options, "ops.webhooks"], [other]: ["cards:read"] },
    platforms: { [other]: "plt_2" },
    pauses: { platform: (platformId) => (platformId === "plt_1" ? state.pause : null) },
  });
  const callerWith = (key: string, headers: Record<string, string> = {}) => ({
    key,
    fetch: (path: string, init: RequestInit = {}) =>
      app.request(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
  });
  return { app, state, callerWith, caller: callerWith(fullKey), refusedByHead, lookUps };
}

describe("a paused platform", () => {
  it.each([
    ["lists over REST", restList],
    ["lists over tRPC", trpcList],
  ])("hears why and until when: %s", async (_, list) => {
    const { caller, refusedByHead } = pausedApp();
    const answer = await list(caller, someone);
    expect(answer).toMatchObject({
      status: 403,
      body: {
        code: "PLATFORM_PAUSED",
        errors: [
          {
            rule: "platform-paused",
            message: `The platform is paused until ${until.toISOString()} at the latest: Calls after a leaked key`,
          },
        ],
      },
    });
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(refusedByHead).toEqual(["paused plt_1"]);
  });

  it("cannot submit, upload, or use an upload URL", async () => {
    const { app, caller, callerWith } = pausedApp();
    const paused = { status: 403, body: { code: "PLATFORM_PAUSED" } };
    expect(await restSubmit(caller, "{}")).toMatchObject(paused);
    expect(await trpcSubmit(caller, "{}")).toMatchObject(paused);
    const upload = await app.request(uploadPath(), { method: "PUT", body: "x" });
    expect([upload.status, await upload.json()]).toMatchObject([403, { code: "PLATFORM_PAUSED" }]);
    expect((await app.request("/health/live")).status).toBe(200);
    // Another platform is not paused, and a wrong key hears nothing about pauses.
    expect((await restList(callerWith(other), someone)).status).toBe(200);
    expect((await restList(callerWith(generateApiKey("test")), someone)).status).toBe(401);
  });

  it("is paused for internal apps too, except for operators' own acts", async () => {
    const { callerWith, state } = pausedApp();
    const paused = { status: 403, body: { code: "PLATFORM_PAUSED" } };
    const app = callerWith(internal, { "x-cardbridge-platform": "plt_1" });
    expect(await restList(app, someone)).toMatchObject(paused);
    expect(await trpcList(app, someone)).toMatchObject(paused);
    expect(await trpcList(callerWith(internal), { ...someone, platformId: "plt_1" })).toMatchObject(paused);
    expect(await trpcSubmit(app, "{}")).toMatchObject(paused);
    const headers = { authorization: `Bearer ${internal}` };
    const endpoints = await app.fetch("/openapi/v1/webhooks", { headers });
    expect(endpoints.status).toBe(200);
    state.pause = null;
    expect((await restList(app, someone)).status).toBe(200);
  });
});
