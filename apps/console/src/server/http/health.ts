import { renewedState, withTimeout } from "@cardbridge/node";
import { Hono } from "hono";
import { reasonOf } from "./reason-of.ts";

/** The codes with which Redis and Valkey refuse writes and still answer reads, so that signed-in people go on. */
const refusedWrites = new Set(["OOM", "MISCONF", "NOREPLICAS", "READONLY"]);

interface HealthOptions {
  /** Fails if the store of the sessions does not accept a write. */
  sessions(): Promise<unknown>;
  /** Fails if the service has not answered lately. */
  service(): Promise<unknown>;
  /** Fails until the issuer's metadata has been read once: an issuer that is away later ends no session. */
  issuer(): Promise<unknown>;
  /** Aborted when the process begins to stop. */
  draining?: AbortSignal | undefined;
  /** The time limit of a check, in milliseconds. */
  answerMs?: number | undefined;
}

/** `live` reports on the process only; `ready` also on what it needs. No answer has an address. */
export function createHealth({ sessions, service, issuer, draining, answerMs }: HealthOptions) {
  const checks: Record<string, Check> = {
    sessions: createCheck(sessions, 1_000, answerMs),
    service: createCheck(service, 5_000, answerMs),
    issuer: createCheck(issuer, 5_000, answerMs),
  };

  /** The code of what fails, of each dependency. Never throws. */
  async function dependencies(): Promise<Record<string, string | undefined>> {
    const results = Object.entries(checks).map(async ([name, check]) => [name, await check()] as const);
    return Object.fromEntries(await Promise.all(results));
  }

  const app = new Hono();
  app.get("/live", (c) => c.json({ status: "live" }));
  app.get("/ready", async (c) => {
    if (draining?.aborted) return c.json({ status: "not ready", reasons: ["draining"] }, 503);
    const failing = Object.entries(await dependencies()).filter(([, code]) => code !== undefined);
    const reasons = failing.map(([name, code]) => `${name}: ${code}`);
    // All processes share the service and the store. A load balancer without processes would sign out everybody.
    const serves = ([name, code = ""]: (typeof failing)[number]) =>
      name === "service" || (name === "sessions" && refusedWrites.has(code));
    if (!failing.every(serves)) return c.json({ status: "not ready", reasons }, 503);
    return c.json(reasons.length > 0 ? { status: "ready", reasons } : { status: "ready" });
  });
  return { app, dependencies };
}

/** The code of what fails, such as `ECONNREFUSED`; undefined if nothing does. */
type Check = () => Promise<string | undefined>;

/** Runs a check at most every `everyMs`. Its code is `timeout` without a result in `answerMs`: load balancers wait for 2 s. */
function createCheck(run: () => Promise<unknown>, everyMs: number, answerMs = 1_500): Check {
  const look = renewedState(() => run().then(() => ({ code: undefined }), failed), { everyMs });
  return async () => ((await withTimeout(answerMs, look())) ?? { code: "timeout" }).code;
}

const failed = (error: unknown) => ({ code: reasonOf(error) });
