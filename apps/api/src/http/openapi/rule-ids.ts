import { type JsonSchema, kycReasonCodes } from "@cardbridge/domain";
import type { Route } from "../rest/routes.ts";

/** The ids of rules over REST that no schema publishes. */
const unpublished = [
  "required",
  "type",
  "integer",
  "enum",
  "invalid",
  "minimum",
  "maximum",
  "min-length",
  "max-length",
  "min-items",
  "max-items",
  "target",
  "host",
  "http-version",
  "expectation",
  "transfer-encoding",
  "percent-encoding",
  "single-value",
  "unknown-parameter",
  "misspelled-field",
  "cursor-unknown",

  "content-encoding",
  "content-type",
  "max-bytes",
  "json",
  "json-depth",
  "form",
  "form-boundary",
  "form-headers",
  "form-name",
  "form-parts",
  "scope",
  "environment",
  "platform-required",
  "platform-paused",
  "idempotency-key",
  "idempotency-key-unsupported",
  "file-empty",
  "file-type",
  "file-purpose",
  "file-pixels",
  "file-too-complex",
  "file-broken",
  "file-infected",

  "pdf-encrypted",
  "pdf-active",
  "pdf-too-complex",
  "file-unknown",
  "file-of-another-user",
  "provider-limit",
  "provider-field",
  "provider-file",
  "provider-name",
  "provider-address",
  "provider-country",
  "email-of-another-user",
  "renewal-not-supported",
  "email-mismatch",
  "document-type",
  "request-answered",
  "request-closed",
  "request-needs-operator",
];

/**
 * Every rule id that an error over REST can have: a format's name, a rule between fields, a reason, or one of the
 * above.
 */
export function ruleIds(routes: readonly Route[], inputs: readonly JsonSchema[]): string[] {
  const formats = inputs.flatMap(formatsIn);
  const rules = routes.flatMap(({ operation }) => operation.rules.map(({ id }) => id));
  return [...new Set([...unpublished, ...formats, ...rules, ...kycReasonCodes])];
}

function formatsIn(schema: JsonSchema): string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value) => {
    if (key === "format" && typeof value === "string") found.push(value);
    return value;
  });
  return found;
}
