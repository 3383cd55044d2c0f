import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { canonicalJson } from "../canonical-json.ts";
import { cardChanges } from "../cards/changes.ts";
import { readJson } from "../http/body.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { changeAt, requestStateOf } from "../requests/state-of.ts";
import { scenarios } from "../scenarios/table.ts";
import { stepAt } from "../scenarios/timeline.ts";
import type { Execution } from "../state/state.ts";
import { whyRejected } from "../submissions/kyc-state.ts";
import { whyRefused } from "../submissions/why-refused.ts";
import { cardEvents } from "../webhooks/events.ts";
import { cardsBodySchema } from "../wire.ts";

/** Unsigned endpoints for developers and tests, outside the contract. They accept requests from this machine only. */
export function supportRoutes({ state, now, sendEvents }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.use("/_*", async (context, next) => {
    const from = context.env.incoming.socket.remoteAddress ?? "";
    if (!/^(::ffff:)?127\.|^::1$/.test(from))
      throw new ApiError("forbidden", "Only requests from this machine are allowed.");
    return next();
  });

  routes.get("/_scenarios", (context) =>
    context.json({ scenarios: scenarios.map(({ id, description }) => ({ id, description })) }),
  );

  routes.get("/_ledger", (context) => {
    const time = now();
    return context.json({
      executions: [...state.executions.values()].map((execution) => ({
        reference: execution.reference,
        userReference: execution.request.userReference,
        executedAt: iso(execution.executedAt),
        ...stateIn(execution, time),
        request: execution.request,
        files: execution.files,
      })),
      attempts: state.attempts.map(({ reference, at, outcome }) => ({ reference, at: iso(at), outcome })),
      acts: [...state.acts.values()].map(({ at, act, card }) => ({
        ...act,
        at: iso(at),
        cardId: card?.cardId ?? null,
      })),
      refusals: [...state.refusals.values()].map(({ reference, refusedAt, request, message, files }) => ({
        reference,
        userReference: request.userReference,
        refusedAt: iso(refusedAt),
        message,
        ...whyRefused({ request, files }),
        request,
        files,
      })),
    });
  });

  routes.put("/_cards", (context) => {
    const body = readJson(context, cardsBodySchema);
    const cards = [...new Map(body.cards.map((card) => [card.cardId, card])).values()];
    const changed = cards.filter((card) => {
      const stored = state.cards.get(card.cardId);
      return stored === undefined || canonicalJson(stored) !== canonicalJson(card);
    });
    if (changed.length > 0) {
      const changes = cardChanges(state, changed, now());
      state.write({ kind: "cards", cards: changed, changes });
      for (const { cardId } of changes) sendEvents(cardEvents(state, cardId));
    }
    return context.json({ stored: cards.length });
  });

  return routes;
}

/** The state of an execution without its references, and the answers to its requests. */
function stateIn(execution: Execution, time: number) {
  const step = stepAt(execution.timeline, time);
  const requests = execution.requests.map((request) => ({
    ...requestStateOf(request, changeAt(execution, request, time)),
    answers: request.answers.map(({ answerReference, at, outcome, documents }) => ({
      answerReference,
      at: iso(at),
      outcome,
      documents,
    })),
  }));
  return { status: step.status, ...whyRejected(execution, step), requests };
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
