import { Hono } from "hono";
import { readJson } from "../body.ts";
import { canonical } from "../canonical.ts";
import type { Desk, Env } from "../context.ts";
import { Problem } from "../problem.ts";
import { scenarios } from "../scenarios.ts";
import { stepAt } from "../timeline.ts";
import { cardsBodySchema } from "../wire.ts";

/** What a developer or a test may look at and prepare; unsigned, and only from this machine. */
export function supportRoutes({ book, now }: Desk): Hono<Env> {
  const routes = new Hono<Env>();

  routes.use("/_*", async (call, next) => {
    const from = call.env.incoming.socket.remoteAddress ?? "";
    if (!/^(::ffff:)?127\.|^::1$/.test(from)) throw new Problem("forbidden", "From this machine only.");
    return next();
  });

  routes.get("/_scenarios", (call) =>
    call.json({ scenarios: scenarios.map(({ id, sentence }) => ({ id, sentence })) }),
  );

  routes.get("/_ledger", (call) => {
    const moment = now();
    return call.json({
      executions: [...book.executions.values()].map(
        ({ reference, executedAt, timeline, request, files }) => ({
          reference,
          userReference: request.userReference,
          executedAt: iso(executedAt),
          status: stepAt(timeline, moment).status,
          request,
          files,
        }),
      ),
      attempts: book.attempts.map(({ reference, at, outcome }) => ({ reference, at: iso(at), outcome })),
      refusals: [...book.refusals.values()].map(({ reference, refusedAt, request, message, files }) => ({
        reference,
        userReference: request.userReference,
        refusedAt: iso(refusedAt),
        message,
        request,
        files,
      })),
    });
  });

  routes.put("/_cards", (call) => {
    const body = readJson(call, cardsBodySchema);
    const cards = [...new Map(body.cards.map((card) => [card.cardId, card])).values()];
    const changed = cards.filter((card) => {
      const before = book.cards.get(card.cardId);
      return before === undefined || canonical(before) !== canonical(card);
    });
    if (changed.length > 0) book.write({ kind: "cards", cards: changed });
    return call.json({ stored: cards.length });
  });

  return routes;
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
