import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { parse, readJson } from "../http/body.ts";
import { neverRespond, waitWhileOpen, whenClosed } from "../http/connection.ts";
import type { Dependencies, Env, RequestContext } from "../http/context.ts";
import { scenarioOf } from "../scenarios/choose.ts";
import type { Attempt, Outcome } from "../state/entries.ts";
import { kycStateAt } from "../submissions/kyc-state.ts";
import { listExecutions } from "../submissions/list.ts";
import { whyRefused } from "../submissions/why-refused.ts";
import { submissionEvents } from "../webhooks/events.ts";
import { executionQuerySchema, submissionSchema } from "../wire.ts";

/** `PUT` and `GET /v1/kyc/{reference}`, `GET /v1/kyc` (provider contract): submit, query the state, list executions. */
export function kycRoutes({ state, submissions, now, slowMs, sendEvents }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.put("/v1/kyc/:reference", async (context) => {
    const reference = context.req.param("reference");
    const submission = readJson(context, submissionSchema);
    const attempt = await submissions.submit(reference, submission);
    sendEventsLater(context, attempt);
    if (scenarioOf(submission).slow) await waitWhileOpen(context.env.outgoing, slowMs);
    return respond[attempt.outcome](context, reference);
  });

  // While the files of a submission are inspected, its outcome is open, so a GET waits.
  routes.get("/v1/kyc/:reference", async (context) => {
    const reference = context.req.param("reference");
    await submissions.finished(reference);
    return currentState(context, reference);
  });

  routes.get("/v1/kyc", (context) => {
    const query = parse(context.req.query(), executionQuerySchema);
    return context.json(listExecutions(state, query, now()));
  });

  /** Events follow the response. If no response comes, they are sent immediately. */
  function sendEventsLater({ env }: RequestContext, { execution, outcome, reference }: Attempt): void {
    const executed = execution && state.executions.get(reference);
    if (!executed) return;
    if (outcome === "timeout-after-effect") sendEvents(submissionEvents(executed));
    else whenClosed(env.outgoing, () => sendEvents(submissionEvents(executed)));
  }

  function currentState(context: RequestContext, reference: string): Response {
    const execution = state.executions.get(reference);
    if (execution) return context.json(kycStateAt(execution, now()));

    const refusal = state.refusals.get(reference);
    if (!refusal)
      throw new ApiError("not_found", "Nothing was received under this reference.", { reference });
    const { userReference } = refusal.request;
    throw new ApiError("kyc_refused", refusal.message, { reference, userReference, ...whyRefused(refusal) });
  }

  type Respond = (context: RequestContext, reference: string) => Response | Promise<Response>;

  const respond: Record<Outcome, Respond> = {
    executed: currentState,
    repeated: currentState,
    refused: currentState,
    conflict() {
      throw new ApiError("reference_conflict", "Other content was submitted under this reference.");
    },
    "error-500"() {
      throw new ApiError("internal", "An internal error occurred.");
    },
    garbage: (context) => context.html("<!doctype html><title>Welcome</title><p>It works!</p>"),
    "timeout-after-effect": neverRespond,
    "timeout-before-effect": neverRespond,
  };

  return routes;
}
