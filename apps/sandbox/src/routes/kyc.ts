import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { readJson } from "../body.ts";
import type { Call, Desk, Env } from "../context.ts";
import type { Attempt, Outcome } from "../entries.ts";
import { untilGone, wait, whenGone } from "../hang.ts";
import { Problem } from "../problem.ts";
import { scenarioOf } from "../scenarios.ts";
import { stateOf } from "../state.ts";
import { stepAt } from "../timeline.ts";
import { submissionSchema } from "../wire.ts";

/** `PUT` and `GET /v1/kyc/{reference}`: submit, and ask. */
export function kycRoutes({ book, reception, now, slowMs, follow }: Desk): Hono<Env> {
  const routes = new Hono<Env>();

  routes.put("/v1/kyc/:reference", async (call) => {
    const reference = call.req.param("reference");
    const submission = readJson(call, submissionSchema);
    const attempt = await reception.receive(reference, submission);
    followUp(call, attempt);
    if (scenarioOf(submission.applicant.email).slow) await wait(call.env.outgoing, slowMs);
    return answers[attempt.outcome](call, reference);
  });

  // While a submission's files are looked at, whether it was received is not to be said yet.
  routes.get("/v1/kyc/:reference", async (call) => {
    const reference = call.req.param("reference");
    await reception.settled(reference);
    return tell(call, reference);
  });

  /** Events come after the answer; where none will come, they wait for nothing. */
  function followUp({ env }: Call, { execution, outcome, reference }: Attempt): void {
    const executed = execution && book.executions.get(reference);
    if (!executed) return;
    if (outcome === "timeout-after-effect") follow(executed);
    else whenGone(env.outgoing, () => follow(executed));
  }

  function tell(call: Call, reference: string): Response {
    const execution = book.executions.get(reference);
    if (execution) return call.json(stateOf(execution, stepAt(execution.timeline, now())));

    const refusal = book.refusals.get(reference);
    if (!refusal) throw new Problem("not_found", "Nothing was received under this reference.", { reference });
    const { userReference } = refusal.request;
    throw new Problem("kyc_refused", refusal.message, { reference, userReference });
  }

  const answers: Record<Outcome, (call: Call, reference: string) => Response | Promise<Response>> = {
    executed: tell,
    repeated: tell,
    refused: tell,
    conflict() {
      throw new Problem("reference_conflict", "This reference stands for other content.");
    },
    "error-500"() {
      throw new Problem("internal", "Something broke.");
    },
    garbage: (call) => call.html("<!doctype html><title>Welcome</title><p>It works!</p>"),
    "timeout-after-effect": neverAnswer,
    "timeout-before-effect": neverAnswer,
  };

  return routes;
}

async function neverAnswer(call: Call): Promise<Response> {
  await untilGone(call.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}
