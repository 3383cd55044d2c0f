import { afterEach, describe, expect, it } from "vitest";
import { createHealth } from "../src/server/http/health.ts";
import { startConsole } from "./support/console.ts";
import { failingStore } from "./support/failing-store.ts";
import { problemOf } from "./support/problem-of.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(store = failingStore()) {
  const console_ = await startConsole({ store: store.create });
  closing.push(console_.close);
  const ready = async () => {
    const response = await fetch(`${console_.publicUrl}/health/ready`);
    return [response.status, await response.json()];
  };
  return { console_, store, ready };
}

const working = async () => {};
const fails = (code: string) => async () => {
  throw Object.assign(new Error("connect 10.1.2.3:6379"), { code });
};
const reasonsOf = async (options: Partial<Parameters<typeof createHealth>[0]>) => {
  const { app } = createHealth({
    ...{ sessions: working, service: working, issuer: working, answerMs: 20 },
    ...options,
  });
  const response = await app.request("/ready");
  return [response.status, ((await response.json()) as { reasons?: string[] }).reasons];
};

describe("the health of the console", () => {
  it("is ready without a session, once the issuer has answered", async () => {
    const { console_, ready } = await start();
    expect(await ready()).toEqual([200, { status: "ready" }]);
    expect(await console_.metrics()).toContain('cardbridge_console_dependency_ready{dependency="issuer"} 1');
    const live = await fetch(`${console_.publicUrl}/health/live`);
    expect([live.status, live.headers.get("set-cookie")]).toEqual([200, null]);
  });

  it.each([
    [{ sessions: fails("ECONNREFUSED") }, ["sessions: ECONNREFUSED"]],
    [{ issuer: fails("OAUTH_TIMEOUT") }, ["issuer: OAUTH_TIMEOUT"]],
    [{ sessions: fails("NOAUTH"), issuer: fails("X") }, ["sessions: NOAUTH", "issuer: X"]],
    [{ draining: AbortSignal.abort() }, ["draining"]],
  ])("names what is missing by its code: %o", async (options, reasons) => {
    expect(await reasonsOf(options)).toEqual([503, reasons]);
  });

  it.each([
    [{ service: fails("ENOTFOUND") }, ["service: ENOTFOUND"]],
    [{ service: () => new Promise(() => {}) }, ["service: timeout"]],
    [{ sessions: fails("OOM") }, ["sessions: OOM"]],
  ])("stays ready while people can go on, and says what is wrong: %o", async (options, reasons) => {
    expect(await reasonsOf(options)).toEqual([200, reasons]);
  });

  it("looks at a dependency once for many probes", async () => {
    let looks = 0;
    const service = async () => {
      looks += 1;
    };
    const { app } = createHealth({ sessions: working, service, issuer: working });
    for (let probe = 0; probe < 5; probe += 1) await app.request("/ready");
    await Promise.all([app.request("/ready"), app.request("/ready")]);
    expect(looks).toBe(1);
  });

  it("reports a service that stays away for a minute, and none that restarts", async () => {
    const { console_, ready } = await start();
    expect(await ready()).toEqual([200, { status: "ready" }]);
    await console_.service.close();
    console_.clock.moved = 30_000;
    await expect(console_.check()).resolves.toBeUndefined();
    console_.clock.moved = 90_000;
    await expect(console_.check()).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });

  it("does not take a proxy's answer for the service's", async () => {
    const { console_ } = await start();
    console_.service.state.answer = (_request, response) => {
      response.writeHead(502).end();
      return true;
    };
    await expect(console_.check()).rejects.toMatchObject({ code: "HTTP_502" });
  });

  it("is no act of a person", async () => {
    const { console_ } = await start();
    const browser = console_.browser();
    await browser.signIn("sam");
    for (let minutes = 5; minutes <= 20; minutes += 5) {
      console_.clock.moved = minutes * 60_000;
      await browser.go("/health/ready");
    }
    expect((await browser.api("/api/session")).status).toBe(401);
  });
});

describe("while the store of the sessions is away", () => {
  it("calls are 503, and the person is signed in when it is back", async () => {
    const { console_, store } = await start();
    const browser = console_.browser();
    await browser.signIn("sam");
    const before = browser.session;
    store.state.isAway = true;
    for (const path of ["/api/session", "/api/trpc/records.search?input=%7B%7D"]) {
      const response = await browser.api(path);
      expect([path, response.status, await problemOf(response)]).toEqual([path, 503, "SERVICE_UNAVAILABLE"]);
    }
    expect((await browser.api("/auth/sign-out", { method: "POST" })).status).toBe(503);
    store.state.isAway = false;
    expect([(await browser.api("/api/session")).status, browser.session]).toEqual([200, before]);
    expect(console_.log()).toContain('"reason":"ECONNREFUSED","msg":"sessions_unavailable"');
    expect(console_.log()).not.toContain("unexpected_error");
  });

  it("a sign-in begins, and leads to the view that says so at its end", async () => {
    const { console_, store } = await start();
    const browser = console_.browser();
    const callback = await browser.choose("sam");
    store.state.isAway = true;
    const response = await browser.go(callback);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/sign-in?error=unavailable"]);
    expect((await browser.go("/auth/sign-in")).headers.get("location")).toContain("/development-issuer/");
    const counted = 'cardbridge_console_sign_ins_total{outcome="sessions-unavailable"} 1';
    expect(await console_.metrics()).toContain(counted);
  });

  it("a logout of the issuer is 503, so that the issuer repeats it", async () => {
    const { console_, store } = await start();
    const browser = console_.browser();
    await browser.signIn("sam");
    store.state.isAway = true;
    await expect(console_.logOut("sam")).rejects.toThrow();
    expect(console_.log()).toMatch(/"route":"\/auth\/back-channel-logout","status":503/);
    store.state.isAway = false;
    expect((await browser.api("/api/session")).status).toBe(200);
    await console_.logOut("sam");
    expect((await browser.api("/api/session")).status).toBe(401);
  });
});
