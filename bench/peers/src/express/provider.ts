import { env, providerTimeout } from "../common/env.js";
import { Problem } from "../common/problem.js";
import { assertAnswers, cardsCall, kycCall, listFailure } from "../common/provider-calls.js";
import type { Verdict } from "../common/record.js";
import type { Submission } from "../common/submission.js";
import type { CardsQuery } from "./cards-schemas.js";
import { providerPage, refusal, state } from "./provider-schemas.js";

export type ExpressProvider = ReturnType<typeof createProvider>;

/** The provider over fetch. */
export function createProvider() {
  async function call({ path, ...init }: ReturnType<typeof cardsCall> | ReturnType<typeof kycCall>) {
    const signal = AbortSignal.timeout(providerTimeout);
    const response = await fetch(env.providerUrl + path, { ...init, signal });
    return { status: response.status, answer: (await response.json()) as unknown };
  }

  return {
    async cards(userReference: string, query: CardsQuery) {
      const { status, answer } = await call(cardsCall(userReference, query)).catch(throwFailure);
      if (status === 404) return { items: [], total: 0 };
      const failure = listFailure(status);
      if (failure) throw failure;
      const page = providerPage.safeParse(answer);
      if (!page.success) throw new Problem("PROVIDER_ANSWER_INVALID");
      assertAnswers(page.data, userReference, query);
      const { items, total } = page.data;
      return { items: items.map(({ userReference: _, ...card }) => card), total };
    },

    async submit(reference: string, userReference: string, submission: Submission): Promise<Verdict> {
      const result = await call(kycCall(reference, userReference, submission)).catch(() => undefined);
      const yes = result?.status === 200 ? state.safeParse(result.answer) : undefined;
      if (yes?.data?.reference === reference) {
        const { status: subStatus, cardAccountId } = yes.data;
        return { settlement: "answered", subStatus, cardAccountId };
      }
      const no = result?.status === 422 ? refusal.safeParse(result.answer) : undefined;
      return { settlement: no?.data?.reference === reference ? "refused" : "unsettled" };
    },
  };
}

function throwFailure(error: unknown): never {
  if (error instanceof SyntaxError) throw new Problem("PROVIDER_ANSWER_INVALID");
  const late = error instanceof DOMException && error.name === "TimeoutError";
  throw new Problem(late ? "PROVIDER_TIMEOUT" : "PROVIDER_UNAVAILABLE");
}
