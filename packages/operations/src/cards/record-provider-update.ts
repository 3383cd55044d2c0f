import { type CardUpdated, Failure } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

/**
 * Forwards a provider's event about a card to the webhook endpoints of its user's platform (gap G32).
 * @throws Failure USER_NOT_FOUND
 */
export async function recordCardUpdate(
  { webhookDeliveries, observer }: Pick<Ports, "webhookDeliveries" | "observer">,
  { eventId, card }: { eventId: string; card: CardUpdated },
): Promise<void> {
  if (await webhookDeliveries.cardUpdated(card, eventId)) return;
  observer.observe("provider_answer_mismatched", { operation: "event", reason: "mismatched" });
  throw new Failure("USER_NOT_FOUND");
}
