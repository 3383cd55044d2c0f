import { Hono } from "hono";
import * as z from "zod";
import { ApiError } from "../api-error.ts";
import { findCardholder } from "../cardholders/find.ts";
import { setStatus } from "../cardholders/status.ts";
import { issueCard, setCardStatus } from "../cards/issue.ts";
import { faultSchema } from "../faults/fault.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { cardStatuses, issueSchema } from "../records/card.ts";
import { roundSchema } from "../records/rfi.ts";
import { ask, findRfi, setRfiStatus } from "../rfis/ask.ts";
import { defaultSettings, settingsSchema } from "../state/settings.ts";
import { eventRoutes } from "./events.ts";
import { parse } from "./parse.ts";

const statusSchema = z.strictObject({
  status: z.enum(["INCOMPLETE", "PENDING", "READY", "DISABLED", "DELETED"]),
});
const cardStatusSchema = z.strictObject({ card_status: z.enum(cardStatuses) });

/** `/__fake/…`: the endpoints with which tests read and change the fake. They need no token. */
export function adminRoutes(dependencies: Dependencies): Hono<Env> {
  const { store, settings, faults, requests, tokens } = dependencies;
  const routes = new Hono<Env>();

  routes.get("/effects", (context) => context.json(store.state));
  routes.get("/requests", (context) => context.json({ requests }));

  routes.delete("/", (context) => {
    store.clear();
    faults.clear();
    tokens.expireAll();
    requests.length = 0;
    Object.assign(settings, defaultSettings());
    return context.json({});
  });

  routes.put("/settings", async (context) => {
    const given = await parse(context, settingsSchema.partial());
    return context.json(Object.assign(settings, given));
  });

  routes.post("/tokens/expire", (context) => {
    tokens.expireAll();
    return context.json({});
  });

  routes.get("/faults", (context) => context.json({ faults: faults.pending() }));
  routes.post("/faults", async (context) => {
    faults.add(await parse(context, faultSchema));
    return context.json({ faults: faults.pending() });
  });
  routes.delete("/faults", (context) => {
    faults.clear();
    return context.json({});
  });

  routes.put("/cardholders/:id", async (context) => {
    const { status } = await parse(context, statusSchema);
    const cardholder = findCardholder(store.state, context.req.param("id"));
    setStatus(dependencies, cardholder, status);
    return context.json(cardholder);
  });

  routes.post("/cards", async (context) =>
    context.json(issueCard(dependencies, await parse(context, issueSchema)), 201),
  );
  routes.put("/cards/:id", async (context) => {
    const { card_status } = await parse(context, cardStatusSchema);
    const card = store.state.cards.find(({ card_id }) => card_id === context.req.param("id"));
    if (!card) throw new ApiError("not_found", "The card does not exist.");
    setCardStatus(dependencies, card, card_status);
    return context.json(card);
  });

  const rfiOf = (id: string) => findRfi(store.state, id);
  routes.post("/rfis", async (context) =>
    context.json(ask(dependencies, await parse(context, roundSchema)), 201),
  );
  routes.post("/rfis/:id/follow_up", async (context) =>
    context.json(ask(dependencies, await parse(context, roundSchema), rfiOf(context.req.param("id")))),
  );
  routes.post("/rfis/:id/close", (context) =>
    context.json(setRfiStatus(dependencies, rfiOf(context.req.param("id")), "CLOSED")),
  );

  routes.route("/", eventRoutes(dependencies));
  return routes;
}
