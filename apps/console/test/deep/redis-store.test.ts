import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRedisStore } from "../../src/server/sessions/redis-store.ts";
import { hashOf } from "../../src/server/sessions/seal.ts";
import { createSessions } from "../../src/server/sessions/sessions.ts";
import type { Store } from "../../src/server/sessions/store.ts";
import { startConsole } from "../support/console.ts";
import { problemOf } from "../support/problem-of.ts";
import { killRedis, redisProgram as program, startRedis } from "../support/redis-server.ts";

describe("sessions of several processes", () => {
  let folder: string;
  let socket: string;
  let server: ChildProcess;
  let redis: Redis;
  let stores: Store[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cardbridge-console-redis-"));
    socket = join(folder, "redis.sock");
    if (!program) return;
    server = startRedis(program, socket, folder);
    redis = new Redis(socket, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on("error", () => {});
    await redis.ping();
    stores = [createRedisStore(socket), createRedisStore(socket)];
  });
  beforeEach((context) => {
    if (!program) context.skip("not run: no redis-server on this machine");
  });
  afterAll(async () => {
    if (program) {
      for (const store of stores) await store.close();
      redis.disconnect();
      await killRedis(server);
    }
    await rm(folder, { recursive: true, force: true });
  });

  const [first, second] = [0, 1].map((index) => () => createSessions(stores[index] as Store, Date.now));
  const person = {
    subject: "canary-subject",
    name: "Canary Name",
    tokens: { access: "canary-access", expiresAt: Date.now() + 60_000, id: "canary-id" },
  };

  it("are shared, end everywhere, and leave nothing readable", async () => {
    const [one, two] = [first?.(), second?.()];
    const opened = await one?.create(person);
    const id = opened?.id ?? "";
    expect(await two?.find(id, { act: true })).toEqual(opened);
    await two?.update(id, (stored) => ({ ...stored, name: "Canary Eight" }));
    expect(await one?.find(id, { act: true })).toMatchObject({ name: "Canary Eight" });

    const names = await redis.keys("*");
    expect(names).toEqual([`cardbridge-console:session:${hashOf(id)}`]);
    expect(await redis.ttl(names[0] ?? "")).toBeLessThanOrEqual(900);
    const value = (await redis.getBuffer(names[0] ?? ""))?.toString("latin1");
    for (const secret of [id, "canary"]) expect(value).not.toContain(secret);

    await one?.endAll({ subject: person.subject });
    expect(await two?.find(id, { act: true })).toBeUndefined();
  });

  it("last from the last act on, which a change of them is not", async () => {
    const [one, two] = [first?.(), second?.()];
    const id = (await one?.create(person))?.id ?? "";
    const key = `cardbridge-console:session:${hashOf(id)}`;
    await redis.expire(key, 60);
    await one?.update(id, (stored) => ({ ...stored, name: null }));
    await two?.find(id, { act: false });
    expect(await redis.ttl(key)).toBeLessThanOrEqual(60);
    await two?.find(id, { act: true });
    expect(await redis.ttl(key)).toBeGreaterThan(800);
    await one?.end(hashOf(id));
  });

  it("have a renewal in one of two processes", async () => {
    const [one, two] = [first?.(), second?.()];
    const claims = await Promise.all([one?.once("renewal", 10), two?.once("renewal", 10)]);
    expect(claims.sort()).toEqual([false, true]);
  });

  it("survive a server that hangs, is killed and comes back: calls are 503, and nobody is signed out", async () => {
    const console_ = await startConsole({ store: () => createRedisStore(socket) });
    const browser = console_.browser();
    await browser.signIn("sam");
    const session = browser.session;
    const isWorking = async () => (await browser.api("/api/session")).status;
    const isAway = async (reason: string) => {
      const response = await browser.api("/api/session");
      expect([response.status, await problemOf(response)]).toEqual([503, "SERVICE_UNAVAILABLE"]);
      const ready = await browser.go("/health/ready");
      expect([ready.status, await ready.json()]).toEqual([
        503,
        { status: "not ready", reasons: [`sessions: ${reason}`] },
      ]);
      const live = await browser.go("/health/live");
      expect([live.status, browser.session]).toEqual([200, session]);
    };

    server.kill("SIGSTOP");
    await isAway("timeout");
    server.kill("SIGCONT");
    await expect.poll(isWorking).toBe(200);

    await killRedis(server);
    await isAway("ECONNREFUSED");
    server = startRedis(program ?? "", socket, folder);
    await expect.poll(isWorking).toBe(200);
    expect(browser.session).toBe(session);
    expect(console_.log()).not.toContain("unexpected_error");
    expect(console_.log()).not.toContain(folder);
    await console_.close();
  });

  it("end a stream within seconds of an outage, and a new one is 503 until the server is back", async () => {
    const console_ = await startConsole({ store: () => createRedisStore(socket) });
    const browser = console_.browser();
    await browser.signIn("sam");
    console_.service.state.answer = (request, response) => {
      if (!request.url?.startsWith("/trpc/records.changes")) return false;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      return true;
    };
    const open = () => browser.api("/api/trpc/records.changes?input=%7B%7D");
    const reader = (await open()).body?.getReader();
    await reader?.read();
    await killRedis(server);
    expect(await reader?.read()).toMatchObject({ done: true });
    expect((await open()).status).toBe(503);
    server = startRedis(program ?? "", socket, folder);
    await expect.poll(async () => (await browser.api("/api/session")).status).toBe(200);
    const again = await open();
    expect(again.status).toBe(200);
    await again.body?.cancel();
    await console_.close();
  });

  it("go on while the server refuses writes: persons read, act and sign out, and readiness has the reason", async () => {
    const console_ = await startConsole({ store: () => createRedisStore(socket) });
    const [browser, other] = [console_.browser(), console_.browser()];
    for (const each of [browser, other]) await each.signIn("sam");
    const callback = await other.choose("sam", "/auth/sign-in?fresh=1");
    await redis.config("SET", "maxmemory", "1mb");
    const key = `cardbridge-console:session:${hashOf(browser.session ?? "")}`;
    await redis.expire(key, 60);
    for (const path of ["/api/session", "/api/trpc/records.search?input=%7B%7D"])
      expect([path, (await browser.api(path)).status]).toEqual([path, 200]);
    expect(await redis.ttl(key)).toBeGreaterThan(800);
    const ready = await browser.go("/health/ready");
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", reasons: ["sessions: OOM"] },
    ]);
    expect((await other.go(callback)).headers.get("location")).toBe("/sign-in?error=unavailable");
    expect((await other.api("/api/session")).status).toBe(200);
    expect((await browser.api("/auth/sign-out", { method: "POST" })).status).toBe(200);
    expect((await browser.api("/api/session")).status).toBe(401);
    await redis.config("SET", "maxmemory", "0");
    const recovered = async () => (await browser.go("/health/ready")).json();
    await expect.poll(recovered).toEqual({ status: "ready" });
    await console_.close();
  });
});
