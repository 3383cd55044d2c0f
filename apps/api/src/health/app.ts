import { Hono } from "hono";

export interface Health {
  /** Reasons why this process should get no traffic; none when it is ready. */
  reasons(): Promise<string[]>;
}

/** `live` speaks of the process, `ready` of what it needs to serve: the provider's outage fails neither. */
export function createHealthApp(health: Health): Hono {
  const app = new Hono();
  app.get("/live", (c) => c.json({ status: "live" }));
  app.get("/ready", async (c) => {
    const reasons = await health.reasons();
    return reasons.length === 0 ? c.json({ status: "ready" }) : c.json({ status: "not ready", reasons }, 503);
  });
  return app;
}
