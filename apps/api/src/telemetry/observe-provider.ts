import {
  type AnswerReply,
  type CardProvider,
  Failure,
  noTracer,
  type Observer,
  type ProviderReply,
} from "@cardbridge/domain";

/** Measures and traces every call of a provider: its outcome, and its duration with retries. */
export function observeProvider(provider: CardProvider, observer: Observer, tracer = noTracer): CardProvider {
  function observed<T>(
    operation: keyof CardProvider,
    call: () => Promise<T>,
    describe: (result: T) => Description = () => ({ outcome: "done" }),
  ): Promise<T> {
    return tracer.run({ name: `provider.${operation}`, kind: "client" }, async (span) => {
      const start = performance.now();
      const measure = (outcome: string) =>
        observer.observe("provider_call", { operation, outcome }, (performance.now() - start) / 1_000);
      try {
        const result = await call();
        const { outcome, reason } = describe(result);
        measure(outcome);
        span.set({ "cardbridge.outcome": outcome, ...(reason && { "error.type": reason }) });
        return result;
      } catch (error) {
        // Other errors of card calls mean that the caller disconnected. Other errors of KYC calls count as `other`.
        measure(error instanceof Failure ? error.code : "cancelled");
        throw error;
      }
    });
  }

  const act = provider.act?.bind(provider);
  const answerRequest = provider.answerRequest?.bind(provider);
  const findAsked = provider.findAsked?.bind(provider);
  return {
    listCards: (request, signal) => observed("listCards", () => provider.listCards(request, signal)),
    findCard: (cardId, signal) => observed("findCard", () => provider.findCard(cardId, signal)),
    submitKyc: (request) => observed("submitKyc", () => provider.submitKyc(request), describeReply),
    findKyc: (reference) => observed("findKyc", () => provider.findKyc(reference), describeReply),
    ...(answerRequest && {
      answerRequest: (answer) => observed("answerRequest", () => answerRequest(answer), describeReply),
    }),
    ...(findAsked && { findAsked: (id) => observed("findAsked", () => findAsked(id)) }),
    ...(act && { act: (one) => observed("act", () => act(one)) }),
  };
}

interface Description {
  outcome: string;
  /** Why the call has no usable response. */
  reason?: string;
}

function describeReply(reply: ProviderReply | AnswerReply): Description {
  return "reason" in reply ? { outcome: reply.outcome, reason: reply.reason } : { outcome: reply.outcome };
}
