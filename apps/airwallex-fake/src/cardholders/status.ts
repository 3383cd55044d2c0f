import type { Events } from "../events/events.ts";
import { type Cardholder, type CardholderStatus, view } from "../records/cardholder.ts";
import type { Store } from "../state/state.ts";

/** Sets a cardholder's status, adds its event, and saves both together. */
export function setStatus(
  { store, events }: { store: Store; events: Events },
  cardholder: Cardholder,
  status: CardholderStatus,
): void {
  cardholder.status = status;
  events.add(`issuing.cardholder.${status.toLowerCase()}`, view(cardholder), cardholder.cardholder_id);
  store.save();
}
