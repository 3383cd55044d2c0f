import type { Dependencies } from "../http/context.ts";
import { type Cardholder, type CardholderStatus, view } from "./cardholder.ts";

/** Sets a cardholder's status, adds its event, and saves both together. */
export function setStatus(
  { store, events }: Pick<Dependencies, "store" | "events">,
  cardholder: Cardholder,
  status: CardholderStatus,
): void {
  cardholder.status = status;
  events.add(`issuing.cardholder.${status.toLowerCase()}`, view(cardholder), cardholder.cardholder_id);
  store.save();
}
