import { ApiError } from "../api-error.ts";
import type { Cardholder } from "../records/cardholder.ts";
import type { State } from "../state/state.ts";

/** @throws ApiError not_found */
export function findCardholder({ cardholders }: State, id: string): Cardholder {
  const cardholder = cardholders.find(({ cardholder_id }) => cardholder_id === id);
  if (!cardholder) throw new ApiError("not_found", `The cardholder ${id} does not exist.`);
  return cardholder;
}

/**
 * Checks that no other cardholder of the account has the e-mail or the mobile number. Deleted cardholders do not count.
 * @param except the cardholder that is being updated
 * @throws ApiError bad_request
 */
export function checkUnique(
  { cardholders }: State,
  { email, mobile_number }: { email?: string; mobile_number?: string | undefined },
  except?: Cardholder,
): void {
  const taken = cardholders.some(
    (other) =>
      other !== except &&
      other.status !== "DELETED" &&
      (sameEmail(other.email, email) ||
        (mobile_number !== undefined && other.mobile_number === mobile_number)),
  );
  if (!taken) return;
  throw new ApiError(
    "bad_request",
    "The given email or mobile number is already associated with a cardholder.",
  );
}

/** Compares e-mails without regard to case. */
export function sameEmail(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
