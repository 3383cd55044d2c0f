import type { CardProvider, ProviderReply, Tracer } from "@cardbridge/domain";

/** Traces every call to the provider, from the first attempt to the last. */
export function traceProvider(provider: CardProvider, tracer: Tracer): CardProvider {
  const read = <T>(method: string, work: () => Promise<T>) => tracer.run(callOf(method), work);
  const settle = <R extends ProviderReply>(method: string, work: () => Promise<R>) =>
    tracer.run(callOf(method), async (span) => {
      const reply = await work();
      const { outcome } = reply;
      span.set({ "cardbridge.outcome": outcome });
      if ("reason" in reply) span.set({ "error.type": reply.reason });
      return reply;
    });
  return {
    listCards: (request, signal) => read("listCards", () => provider.listCards(request, signal)),
    findCard: (cardId, signal) => read("findCard", () => provider.findCard(cardId, signal)),
    submitKyc: (request) => settle("submitKyc", () => provider.submitKyc(request)),
    findKyc: (reference) => settle("findKyc", () => provider.findKyc(reference)),
  };
}

const callOf = (method: string) => ({ name: `provider.${method}`, kind: "client" }) as const;
