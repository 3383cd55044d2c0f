import type { CallResult, Reason } from "../http/call-result.ts";
import { dataIn } from "../http/read-json.ts";
import { errorAnswer } from "./wire.ts";

/** A 4xx with Airwallex's error body. The same status without the body may come from a proxy. */
export interface ClientError {
  status: number;
  /** Undefined if the received text is not a code: such a text is neither stored nor logged. */
  code: string | undefined;
  /** The path of the request's field that the error is about, as received. */
  source: unknown;
  /** The status and the code, for the log and operators. */
  reason: Reason;
}

/** The error of a result; undefined for any other result. */
export function clientErrorOf(result: CallResult): ClientError | undefined {
  if (result.kind !== "response" || result.status < 400 || result.status >= 500) return undefined;
  const body = dataIn(result, errorAnswer);
  if (!body) return undefined;
  const { status } = result;
  const code = /^[a-z0-9_]{1,64}$/.test(body.code) ? body.code : undefined;
  return {
    status,
    code,
    source: body.source,
    reason: code ? `status-${status}:${code}` : `status-${status}`,
  };
}

/**
 * What an error means for a submission:
 *
 * - `refused`: Airwallex refuses the data, and another submission may correct it.
 * - `taken`: another cardholder has the e-mail address or the mobile number.
 * - `misconfigured`: the account, its keys or this service are not set up for the request. No submission can correct it.
 * - `retry`: the request was not executed, and a later one may be.
 * - `undocumented`: nothing is known about the outcome.
 */
type Meaning = "refused" | "taken" | "misconfigured" | "retry" | "undocumented";

/** The documented errors by status and code. An entry without a code is for all codes. apps/airwallex-fake/README.md has the sources. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["400 invalid_argument", "refused"],
  ["400 field_required", "refused"],
  ["400 validation_failed", "refused"],
  ["400 validation_error", "refused"],
  ["400 bad_request", "taken"],
  ["400 account_not_authorized", "misconfigured"],
  ["401", "retry"],
  ["403", "misconfigured"],
  ["404", "misconfigured"],
  ["409", "retry"],
  ["429", "retry"],
]);

/** Fields of the request whose values do not come from a submission. No submission can correct them. */
const ownFields =
  /^(?:type|x-api-version|postal_address|individual\.(?:employers|[a-z_]+_consent_obtained))(?![a-z_])/;

/** The meaning of an error of a submission's call. */
export function meaningOf({ status, code, source }: ClientError): Meaning {
  const meaning = meanings.get(`${status} ${code}`) ?? meanings.get(`${status}`) ?? "undocumented";
  const isOurs = meaning === "refused" && typeof source === "string" && ownFields.test(source);
  return isOurs ? "misconfigured" : meaning;
}
