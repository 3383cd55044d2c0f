import { type CardProvider, Failure, type Observer } from "@cardbridge/domain";

/** Observes every call of a provider with its outcome and its duration. */
export function measuredProvider(provider: CardProvider, observer: Observer): CardProvider {
  async function measured<T>(
    operation: keyof CardProvider,
    call: () => Promise<T>,
    outcomeOf: (result: T) => string = () => "done",
  ): Promise<T> {
    const start = performance.now();
    const observe = (outcome: string) =>
      observer.observe("provider_call", { operation, outcome }, (performance.now() - start) / 1_000);
    try {
      const result = await call();
      observe(outcomeOf(result));
      return result;
    } catch (error) {
      // About cards, other errors are those of callers who disconnected; about KYC, those of its steps and files.
      observe(error instanceof Failure ? error.code : "cancelled");
      throw error;
    }
  }

  return {
    listCards: (request, signal) => measured("listCards", () => provider.listCards(request, signal)),
    findCard: (cardId, signal) => measured("findCard", () => provider.findCard(cardId, signal)),
    submitKyc: (request) => measured("submitKyc", () => provider.submitKyc(request), outcomeOfReply),
    findKyc: (reference) => measured("findKyc", () => provider.findKyc(reference), outcomeOfReply),
  };
}

const outcomeOfReply = ({ outcome }: { outcome: string }): string => outcome;
