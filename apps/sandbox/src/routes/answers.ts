import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { readJson } from "../http/body.ts";
import { neverRespond, whenClosed } from "../http/connection.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { decideAnswer } from "../requests/answer.ts";
import { namesOf } from "../scenarios/names.ts";
import { submissionEvents } from "../webhooks/events.ts";
import { answerSchema } from "../wire.ts";

/** `PUT /v1/kyc/{reference}/requests/{requestId}/answers/{answerReference}` (provider contract): answer a request. */
export function answerRoutes({ state, now, sendEvents }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.put("/v1/kyc/:reference/requests/:requestId/answers/:answerReference", async (context) => {
    const path = context.req.param();
    const { answer, execution, isNew } = decideAnswer(state, path, readJson(context, answerSchema), now());
    if (isNew) {
      state.write(answer);
      const send = () => sendEvents(submissionEvents(execution));
      if (answer.outcome === "timeout-after-effect") send();
      else whenClosed(context.env.outgoing, send);
      if (answer.outcome.startsWith("timeout")) return neverRespond(context);
    }
    const { requestId, answerReference } = path;
    const names = { ...namesOf(execution.reference, execution.request), requestId };
    if (answer.outcome === "refused")
      throw new ApiError("answer_refused", "The documents are refused.", {
        ...names,
        reasons: [{ code: "document_unreadable" }],
      });
    return context.json({ ...names, answerReference });
  });

  return routes;
}
