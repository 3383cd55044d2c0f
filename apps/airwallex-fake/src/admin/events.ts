import { Hono } from "hono";
import * as z from "zod";
import { ApiError } from "../api-error.ts";
import { deliver } from "../events/deliver.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { parse } from "./parse.ts";

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
  automatic: z.boolean().default(false),
});

const eventSchema = z.strictObject({
  name: z.string(),
  data: z.record(z.string(), z.unknown()),
  source_id: z.string().default(""),
});

const deliverySchema = z.strictObject({
  /** Event ids in the order of delivery. Default: all events, oldest first. */
  ids: z.array(z.string()).optional(),
  /** Whether to send the events in reverse order. */
  reverse: z.boolean().default(false),
  /** The number of times that each event is sent. */
  copies: z.int().positive().default(1),
  signature: z.enum(["valid", "wrong", "missing"]).default("valid"),
  /** The age of the signed timestamp, as in a late repetition. */
  ageSeconds: z.number().min(0).default(0),
});

/** The webhook of the account, its events, and deliveries on demand. */
export function eventRoutes({ store, events, now }: Dependencies): Hono<Env> {
  const { state } = store;
  const routes = new Hono<Env>();

  routes.put("/webhook", async (context) => {
    const { automatic, ...webhook } = await parse(context, webhookSchema);
    Object.assign(events, { webhook, automatic });
    return context.json({});
  });
  routes.delete("/webhook", (context) => {
    Object.assign(events, { webhook: undefined, automatic: false });
    return context.json({});
  });

  routes.post("/events", async (context) => {
    const { name, data, source_id } = await parse(context, eventSchema);
    const event = events.add(name, data, source_id);
    store.save();
    return context.json(event, 201);
  });

  routes.post("/deliveries", async (context) => {
    const wanted = await parse(context, deliverySchema);
    if (!events.webhook) throw new ApiError("bad_request", "PUT /__fake/webhook first.");
    const chosen = (wanted.ids ?? state.events.map(({ id }) => id)).map((id) => {
      const event = state.events.find((each) => each.id === id);
      if (!event) throw new ApiError("not_found", `The event ${id} does not exist.`);
      return event;
    });
    if (wanted.reverse) chosen.reverse();
    const deliveries = [];
    for (const event of chosen.flatMap((each) => Array(wanted.copies).fill(each) as typeof chosen)) {
      const timestampMs = now() - wanted.ageSeconds * 1_000;
      const status = await deliver(events.webhook, event, timestampMs, wanted.signature);
      deliveries.push({ id: event.id, name: event.name, status: status ?? null });
    }
    return context.json({ deliveries });
  });

  return routes;
}
