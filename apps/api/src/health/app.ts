import { Hono } from "hono";

export interface Health {
  /** The reasons why this process is not ready for traffic; empty if it is ready. */
  reasons(): Promise<string[]>;
}

/** `live` checks the process; `ready` also checks its dependencies, except the provider. */
export function createHealthApp(health: Health): Hono {
  const app = new Hono();
  app.get("/live", (c) => c.json({ status: "live" }));
  app.get("/ready", async (c) => {
    const reasons = await health.reasons();
    if (reasons.length > 0) return c.json({ status: "not ready", reasons }, 503);
    return c.json({ status: "ready" });
  });
  return app;
}
