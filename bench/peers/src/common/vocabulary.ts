/* The interface's enumerations and formats. Which field has which is each peer's own to say. */

export const documentTypes = ["passport", "id_card", "driver_license"] as const;
export const twoSided: readonly string[] = ["id_card", "driver_license"];
export const supportingDocumentTypes = [
  "UTILITY_BILL",
  "TENANCY_AGREEMENT",
  "ADDRESS_PROOF",
  "BANK_STATEMENT",
  "TRAVEL_PERMIT_FRONT",
  "TRAVEL_PERMIT_BACK",
  "PROOF_OF_VISIT",
] as const;
export const genders = ["male", "female"] as const;
export const annualIncomes = ["<20000", "20000-50000", "50000-200000", "200000-500000", ">500000"] as const;

export const countryCode = /^[A-Za-z]{2}$/;
export const callingCode = /^\+[0-9]{1,4}$/;
export const phoneNumber = /^[0-9]{4,20}$/;
export const wholeNumber = /^[1-9][0-9]*$/;
export const withoutControls = /^\P{Cc}*$/u;
export const httpUrl = /^https?:\/\//;
export const last4 = /^[0-9]{4}$/;
export const currency = /^[A-Z]{3}$/;

/** Whether a date is after today wherever the day begins first (UTC+14). */
export function isInFuture(date: string): boolean {
  return date > new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
}
