import { ApiError } from "../api-error.ts";
import type { CardholderUpdate, Individual } from "../records/cardholder.ts";
import type { State } from "../state/state.ts";

/**
 * Checks the rules that the SDK's models do not express.
 * @throws ApiError invalid_argument with the first violation
 */
export function checkFields(
  { type, individual, mobile_number, postal_address }: CardholderUpdate,
  state: State,
) {
  if (type !== undefined && type !== "INDIVIDUAL" && type !== "DELEGATE") {
    throw invalid("type", "should be one of INDIVIDUAL, DELEGATE");
  }
  if (mobile_number === "") throw invalid("mobile_number", "should not be empty");
  if (postal_address) checkCountry("postal_address.country", postal_address.country);
  if (individual) checkIndividual(individual, state);
}

const countriesWithStates = ["AU", "CA", "US"];

function checkIndividual(individual: Individual, { files }: State): void {
  const { name, nationality, address, identification } = individual;
  for (const [field, value] of Object.entries(name)) {
    if (!/^[A-Za-z][A-Za-z .,'-]*$/.test(value)) {
      throw invalid(`individual.name.${field}`, "should have English characters only");
    }
  }
  checkDate("individual.date_of_birth", individual.date_of_birth);
  if (nationality !== undefined) checkCountry("individual.nationality", nationality);
  checkCountry("individual.address.country", address.country);
  if (countriesWithStates.includes(address.country) && !/^[A-Z]{2,3}$/.test(address.state ?? "")) {
    throw invalid("individual.address.state", "should be the code of a state");
  }
  if (individual.express_consent_obtained !== "yes") {
    throw invalid("individual.express_consent_obtained", "should be yes");
  }
  if (!identification) return;
  checkDate("individual.identification.expiry_date", identification.expiry_date);
  checkCountry("individual.identification.country", identification.country);
  for (const field of ["document_front_file_id", "document_back_file_id"] as const) {
    const id = identification[field];
    if (id !== undefined && !files.some(({ file_id }) => file_id === id)) {
      throw invalid(`individual.identification.${field}`, "is not the id of a file");
    }
  }
}

function checkDate(source: string, value: string): void {
  const date = /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(value) : undefined;
  const isDate = date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  if (!isDate) throw invalid(source, "should be a date in the format YYYY-MM-DD");
}

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Intl knows the names of codes, and replaces codes that are not assigned, such as UK. */
function checkCountry(source: string, value: string): void {
  const isCode = /^[A-Z]{2}$/.test(value);
  const isAssigned = isCode && countryNames.of(value) && new Intl.Locale(`und-${value}`).region === value;
  if (!isAssigned) throw invalid(source, "should be a country code of ISO 3166-1");
}

function invalid(source: string, fault: string): ApiError {
  return new ApiError("invalid_argument", `${source} ${fault}`, source);
}
