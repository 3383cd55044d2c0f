import { errors, Pool } from "undici";
import { connections, env, providerTimeout } from "../common/env.js";
import { Problem } from "../common/problem.js";
import { assertAnswers, cardsCall, kycCall, listFailure } from "../common/provider-calls.js";
import type { Verdict } from "../common/record.js";
import type { Submission } from "../common/submission.js";
import { isProviderPage, isRefusal, isState } from "./provider-schemas.js";

interface CardsQuery {
  status?: string;
  page: number;
  pageSize: number;
}

export type FastifyProvider = ReturnType<typeof createProvider>;

/** The provider over undici. */
export function createProvider() {
  const timeouts = { headersTimeout: providerTimeout, bodyTimeout: providerTimeout };
  const pool = new Pool(env.providerUrl, { connections: connections.provider, ...timeouts });

  async function call(request: ReturnType<typeof cardsCall> | ReturnType<typeof kycCall>) {
    const { statusCode, body } = await pool.request(request);
    return { status: statusCode, answer: (await body.json()) as unknown };
  }

  return {
    async cards(userReference: string, query: CardsQuery) {
      const { status, answer } = await call(cardsCall(userReference, query)).catch(throwFailure);
      if (status === 404) return { items: [], total: 0 };
      const failure = listFailure(status);
      if (failure) throw failure;
      if (!isProviderPage(answer)) throw new Problem("PROVIDER_ANSWER_INVALID");
      assertAnswers(answer, userReference, query);
      return answer;
    },

    async submit(reference: string, userReference: string, submission: Submission): Promise<Verdict> {
      const unsettled = { settlement: "unsettled" } as const;
      const result = await call(kycCall(reference, userReference, submission)).catch(() => undefined);
      if (result === undefined) return unsettled;
      const { status, answer } = result;
      if (status === 200 && isState(answer) && answer.reference === reference) {
        const { status: subStatus, cardAccountId } = answer;
        return { settlement: "answered", subStatus, cardAccountId };
      }
      if (status === 422 && isRefusal(answer) && answer.reference === reference)
        return { settlement: "refused" };
      return unsettled;
    },
  };
}

function throwFailure(error: unknown): never {
  if (error instanceof SyntaxError) throw new Problem("PROVIDER_ANSWER_INVALID");
  const late = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  throw new Problem(late ? "PROVIDER_TIMEOUT" : "PROVIDER_UNAVAILABLE");
}
