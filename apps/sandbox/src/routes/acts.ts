import { Hono } from "hono";
import { decideAct } from "../acts/decide.ts";
import { readJson } from "../http/body.ts";
import { whenClosed } from "../http/connection.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { cardEvents, submissionEvents } from "../webhooks/events.ts";
import { actSchema } from "../wire.ts";

/** `POST /v1/acts` (provider contract): acts as the provider's staff would. The events follow the response. */
export function actRoutes({ state, submissions, now, sendEvents }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.post("/v1/acts", async (context) => {
    const act = readJson(context, actSchema);
    if (act.reference !== null) await submissions.finished(act.reference);
    const entry = decideAct(state, act, now());
    if (!state.acts.has(act.key)) {
      state.write(entry);
      whenClosed(context.env.outgoing, () => {
        const execution = entry.timeline && state.executions.get(act.reference ?? "");
        if (execution) sendEvents(submissionEvents(execution));
        if (entry.change) sendEvents(cardEvents(state, entry.change.cardId));
      });
    }
    return context.json({ key: act.key, act: act.act, cardId: entry.card?.cardId ?? null });
  });

  return routes;
}
