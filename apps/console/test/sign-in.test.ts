import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPendingSignIns } from "../src/server/auth/pending-sign-ins.ts";
import { signInSeconds } from "../src/server/sessions/cookies.ts";
import { createMemoryStore } from "../src/server/sessions/memory-store.ts";
import { startConsole, type TestConsole, testKey } from "./support/console.ts";
import { problemOf } from "./support/problem-of.ts";

let console_: TestConsole;
beforeAll(async () => {
  console_ = await startConsole();
});
afterAll(() => console_.close());

const isSignedIn = async (browser: ReturnType<TestConsole["browser"]>) =>
  (await browser.api("/api/session")).status === 200;

describe("a sign-in", () => {
  it("returns to the view, and the service gets a token with the person's role", async () => {
    const browser = console_.browser();
    expect(await browser.signIn("sam", "/auth/sign-in?return=/records/kyc_1%3Ftab%3Dnotes")).toBe(
      "/records/kyc_1?tab=notes",
    );
    const session = await browser.api("/api/session");
    expect(await session.json()).toEqual({
      name: "Sam Support",
      environment: "test",
      person: expect.stringMatching(/^[0-9a-f]{64}$/),
      slaHours: 4,
      docsUrl: "https://docs.example.com",
    });
    await browser.api("/api/trpc/records.search?input=%7B%7D");
    const [call] = console_.service.forwarded();
    const token = String(call?.headers["x-cardbridge-person"]);
    const [head, claims] = token
      .split(".", 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}"));
    expect(head.alg).toBe("ES256");
    expect(claims).toMatchObject({
      iss: `${console_.publicUrl}/development-issuer`,
      aud: "urn:cardbridge:development",
      sub: "sam",
      roles: ["support"],
      name: "Sam Support",
      auth_time: expect.any(Number),
    });
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(3_600);
  });

  it("sets cookies that scripts and other sites do not get", async () => {
    const browser = console_.browser();
    await browser.signIn("vera");
    const [before, , after] = browser.setCookies.filter((line) => line.startsWith("cardbridge-console"));
    expect(before).toMatch(
      /^cardbridge-console-sign-in=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(after).toMatch(/^cardbridge-console=[^;]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it("refuses a wrong state, a code of another browser, and a replayed callback", async () => {
    const browser = console_.browser();
    const callback = new URL(await browser.choose("sam"));
    for (const changed of ["state", "code"]) {
      const forged = new URL(callback);
      forged.searchParams.set(changed, "x".repeat(43));
      expect((await browser.go(forged.href)).headers.get("location")).toBe("/sign-in?error=refused");
    }
    // The return with the right state used the sign-in up.
    expect((await browser.go(callback.href)).headers.get("location")).toBe("/sign-in?error=refused");
    expect(browser.session).toBeUndefined();

    const victim = console_.browser();
    await victim.go("/auth/sign-in");
    const attacker = console_.browser();
    const stolen = await attacker.choose("ada");
    expect((await victim.go(stolen)).headers.get("location")).toBe("/sign-in?error=refused");
    expect(await isSignedIn(victim)).toBe(false);

    const once = console_.browser();
    const used = await once.choose("sam");
    const signInCookie = once.cookies.get("cardbridge-console-sign-in") ?? "";
    expect((await once.go(used)).headers.get("location")).toBe("/");
    const replay = console_.browser();
    replay.cookies.set("cardbridge-console-sign-in", signInCookie);
    expect((await replay.go(used)).headers.get("location")).toBe("/sign-in?error=refused");
    expect(replay.session).toBeUndefined();
  });

  it("that began before hundreds of others completes, and none of them is stored", async () => {
    const memory = createMemoryStore();
    let writes = 0;
    const counted = await startConsole({
      store: () => ({
        ...memory,
        set: (...entry) => {
          writes += 1;
          return memory.set(...entry);
        },
      }),
    });
    const browser = counted.browser();
    const callback = await browser.choose("sam");
    await counted.startSignIns(500);
    expect(writes).toBe(0);
    expect((await browser.go(callback)).headers.get("location")).toBe("/");
    expect(await isSignedIn(browser)).toBe(true);
    await counted.close();
  });

  it("leaves a newer one of another tab as it is", async () => {
    const browser = console_.browser();
    const older = await browser.choose("sam", "/auth/sign-in?fresh=1&return=/queue");
    const newer = await browser.choose("sam", "/auth/sign-in?fresh=1&return=/audit");
    // Another try returns to the view of the newer one.
    expect((await browser.go(older)).headers.get("location")).toBe("/sign-in?error=refused&return=%2Faudit");
    expect((await browser.go(newer)).headers.get("location")).toBe("/audit");
  });

  it("completes in another process, for ten minutes, and not with a changed cookie or another key", async () => {
    const now = { value: 0 };
    const [one, two] = [testKey, testKey].map((key) => createPendingSignIns(key, () => now.value));
    const begun = { state: "canary", nonce: "n", verifier: "v", returnTo: "/", fresh: false };
    const cookie = one?.seal(begun) ?? "";
    expect(Buffer.from(cookie, "base64url").toString("latin1")).not.toContain("canary");
    expect(two?.open(cookie)).toMatchObject(begun);
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith("AA") ? "BB" : "AA"}`;
    for (const other of [changed, cookie.slice(0, 20), "", "x".repeat(43), undefined])
      expect(two?.open(other)).toBeUndefined();
    expect(createPendingSignIns(`${testKey}x`, () => now.value).open(cookie)).toBeUndefined();
    now.value = signInSeconds * 1_000;
    expect(two?.open(cookie)).toBeUndefined();
  });

  it("has a cookie that browsers accept, for the longest path", async () => {
    for (const [length, returns] of [
      [2_000, true],
      [4_000, false],
    ] as const) {
      const browser = console_.browser();
      const path = `/queue?search=${"a".repeat(length)}`;
      const callback = await browser.choose("sam", `/auth/sign-in?fresh=1&return=${path}`);
      for (const [name, value] of browser.cookies)
        expect(`__Host-${name}=${value}`.length).toBeLessThanOrEqual(4_096);
      expect((await browser.go(callback)).headers.get("location")).toBe(returns ? path : "/");
    }
  });

  it("gives a new id at each sign-in, and ends the former session", async () => {
    const browser = console_.browser();
    await browser.signIn("cleo");
    const former = console_.browser();
    former.cookies.set("cardbridge-console", browser.session ?? "");
    const planted = browser.session;
    await browser.signIn("cleo", "/auth/sign-in?fresh=1&return=/records/kyc_1");
    expect(browser.session).not.toBe(planted);
    expect([await isSignedIn(browser), await isSignedIn(former)]).toEqual([true, false]);
  });

  it("asks for a recent sign-in on request", async () => {
    const response = await console_.browser().go("/auth/sign-in?fresh=1");
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: "login",
      max_age: "0",
      resource: "urn:cardbridge:development",
      code_challenge_method: "S256",
      response_type: "code",
    });
  });

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "records",
    "/auth/sign-in",
    "/api/session",
    "/.//evil.example",
  ])("never leads to %j", async (path) => {
    const browser = console_.browser();
    expect(await browser.signIn("vera", `/auth/sign-in?return=${encodeURIComponent(path)}`)).toBe("/");
  });
});

describe("a session", () => {
  it("ends with the sign-out, also for who stole its cookie", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    const thief = console_.browser();
    thief.cookies.set("cardbridge-console", browser.session ?? "");
    expect(await isSignedIn(thief)).toBe(true);
    const forged = await browser.go("/auth/sign-out", {
      method: "POST",
      headers: { origin: "http://127.0.0.1:1" },
    });
    expect(forged.status).toBe(403);
    const out = await browser.api("/auth/sign-out", { method: "POST" });
    expect([out.status, await out.json()]).toEqual([200, { redirect: "/" }]);
    expect(browser.session).toBeUndefined();
    expect(await isSignedIn(thief)).toBe(false);
  });

  it("ends after 15 minutes without an act; background refreshes are none", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    const minutes = (count: number) => {
      console_.clock.moved += count * 60_000;
    };
    minutes(14);
    expect(await isSignedIn(browser)).toBe(true);
    minutes(14);
    const background = { headers: { "x-cardbridge-console": "background" } };
    expect((await browser.api("/api/session", background)).status).toBe(200);
    minutes(2);
    const ended = await browser.api("/api/session", background);
    expect(ended.status).toBe(401);
    expect(await ended.clone().json()).toMatchObject({ environment: "test" });
    expect(await problemOf(ended)).toBe("SIGN_IN_REQUIRED");
  });

  it("ends after 8 hours in all, and renews the access token until then", async () => {
    const browser = console_.browser();
    await browser.signIn("sam");
    const tokens = new Set<string>();
    for (let quarter = 0; quarter < 39; quarter += 1) {
      console_.clock.moved += 12 * 60_000;
      const response = await browser.api("/api/trpc/records.state?input=%7B%7D");
      expect(response.status).toBe(200);
      tokens.add(String(console_.service.forwarded().at(-1)?.headers["x-cardbridge-person"]));
    }
    expect(tokens.size).toBeGreaterThan(5);
    console_.clock.moved += 13 * 60_000;
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("ends with a verified logout of the issuer, and with no other one", async () => {
    console_.clock.moved = 0;
    const [browser, other] = [console_.browser(), console_.browser()];
    await browser.signIn("omar");
    await other.signIn("vera");

    const forged = ["x.y.z", `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`];
    for (const token of forged) {
      const refused = await browser.go("/auth/back-channel-logout", {
        method: "POST",
        body: new URLSearchParams({ logout_token: token }),
      });
      expect(refused.status).toBe(400);
    }
    expect(await isSignedIn(browser)).toBe(true);
    await console_.logOut("omar", "another-session");
    expect(await isSignedIn(browser)).toBe(true);
    await console_.logOut("omar");
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([false, true]);
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=x"])(
    "is not ended by a malformed logout of %s, which is a refusal and no error",
    async (type) => {
      const refused = await console_.browser().go("/auth/back-channel-logout", {
        method: "POST",
        headers: { "content-type": type },
        body: "logout_token=a.b.c",
      });
      expect([refused.status, await refused.json()]).toEqual([400, { error: "invalid_request" }]);
      expect(console_.log()).not.toContain("unexpected_error");
    },
  );
});
