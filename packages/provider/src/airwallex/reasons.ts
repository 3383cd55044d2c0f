import type { KycVerdict } from "@cardbridge/domain";

const identification = "individual.identification.";

/** The paths of Airwallex's request, with the JSON Pointers of the matching submission fields. */
const fields: ReadonlyMap<string, string> = new Map([
  ["email", "/email"],
  ["mobile_number", "/phoneNumber"],
  ["individual.name", "/name"],
  ["individual.name.first_name", "/name"],
  ["individual.name.last_name", "/name"],
  ["individual.date_of_birth", "/birthday"],
  ["individual.nationality", "/nationality"],
  ["individual.address", "/contactAddress"],
  ...[".line1", ".line2", ".city", ".state", ".postcode", ".country"].map(
    (part) => [`individual.address${part}`, "/contactAddress"] as const,
  ),
  [`${identification}type`, "/documentType"],
  [`${identification}number`, "/documentNumber"],
  [`${identification}country`, "/documentCountry"],
  [`${identification}expiry_date`, "/documentExpiryDate"],
  [`${identification}gender`, "/gender"],
  [`${identification}document_front_file_id`, "/frontImageUrl"],
  [`${identification}document_back_file_id`, "/backImageUrl"],
]);

/**
 * The refusal of a submission. Airwallex documents which field it refuses but no code for the reason, so every reason is
 * OTHER. No text of Airwallex is passed on.
 *
 * @param source the path of the field in Airwallex's request, as received
 */
export function refusal(source: unknown): KycVerdict {
  const field = typeof source === "string" ? (fields.get(source) ?? null) : null;
  return { outcome: "refused", explanation: { reasons: [{ code: "OTHER", field }], final: false } };
}
