import { type CardUpdated, Failure } from "@cardbridge/domain";
import { observeUnknown } from "../operation/observe-unknown.ts";
import type { Ports } from "../operation/ports.ts";
import { writeCardUpdated } from "../webhooks/events.ts";

/**
 * Forwards a provider's event about a card to the webhook endpoints of its user's platform (gap G32).
 * @throws Failure USER_NOT_FOUND
 */
export async function recordCardUpdate(
  ports: Pick<Ports, "database" | "observer">,
  { eventId, card }: { eventId: string; card: CardUpdated },
): Promise<void> {
  if (await writeCardUpdated(ports, card, eventId)) return;
  await observeUnknown(ports, card.externalUserId);
  throw new Failure("USER_NOT_FOUND");
}
