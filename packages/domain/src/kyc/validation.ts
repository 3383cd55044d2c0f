import * as z from "zod";
import type { ErrorCode } from "../errors/failure.ts";
import { errorFields } from "../input/error-body.ts";
import { inputSchemaOf } from "../input/input-schema.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import { toPointer } from "../input/pointer.ts";
import type { RawInput } from "../input/rule.ts";
import { unknownFields } from "../input/unknown-fields.ts";
import { lossOfField, type ProviderCapabilities, submissionFields, valuesOf } from "./capabilities.ts";
import { hongKongDecision } from "./hong-kong-decision.ts";
import { type KycSubmission, kycSubmission } from "./submission.ts";

const described = Object.entries(inputSchemaOf(kycSubmission).properties).map(([field, { description }]) => [
  field,
  description === undefined ? {} : { description },
]);

/** A body of a submission that need not be complete: any JSON object (an extension). */
export const kycDraft: z.ZodType<RawInput, Partial<KycSubmission>> = z.looseObject({}).meta({
  id: "KycDraft",
  description:
    "The body of a KYC submission, as it would be sent: see KycSubmission. It may violate any rule.",
  properties: Object.fromEntries(described),
});

/** The error codes of a submission that fails before it is sent to the provider. */
export const submissionErrors = [
  "KYC_ALREADY_SUBMITTED",
  "USER_IDENTITY_CONFLICT",
  "USER_ERASURE_PENDING",
  "KYC_REFUSED",
  "IDEMPOTENCY_KEY_REUSED",
] as const satisfies readonly ErrorCode[];

const reportedCodes = ["INVALID_INPUT", ...submissionErrors] as const;
type ReportedCode = (typeof reportedCodes)[number];

/** Whether a validation reports a failure with this code in its result. */
export const isReported = (code: ErrorCode): code is ReportedCode =>
  reportedCodes.some((reported) => reported === code);

const maxIgnored = 100;

/** The result that a submission of this body would have now (an extension). */
export const kycValidation = z
  .object({
    valid: z.boolean().meta({ description: "Whether a submission of this body would be accepted now." }),
    submission: z.enum(["new", "replay", "conflict", "invalid"]).meta({
      description:
        "The result of a submission: `new` creates a record and sends it to the provider; `replay` returns the " +
        "current result of an earlier record; `conflict` fails because of the user's state; `invalid` fails because " +
        "of the input.",
    }),
    code: extensibleEnum(reportedCodes).nullable().meta({
      description:
        "The error code that the submission would have; null without an error. Tolerate new codes.",
    }),
    message: z.string().nullable().meta({ description: "The message of that error." }),
    ...errorFields,
    kycRecordId: z
      .string()
      .nullable()
      .meta({ description: "The earlier record that a replay or a conflict is about." }),
    hongKong: hongKongDecision,
    ignored: z
      .array(z.string())
      .max(maxIgnored)
      .meta({
        description: `Unknown fields, which the service would ignore, as JSON Pointers, up to ${maxIgnored}.`,
      }),
    notForwarded: z
      .array(
        z.object({
          path: z.string().meta({ description: "The field, as a JSON Pointer." }),
          message: z
            .string()
            .meta({ description: "The part of the field that the card provider does not receive." }),
        }),
      )
      .max(maxIgnored)
      .meta({
        description: "The sent fields that the card provider receives only in part, or not at all.",
      }),
  })
  .meta({ id: "KycValidation" });
export type KycValidation = z.output<typeof kycValidation>;

/** The fields of a body that the service ignores, as JSON Pointers. A misspelled field is a violation instead. */
export function ignoredFields(draft: RawInput): string[] {
  const ignored = unknownFields(kycSubmission, draft).filter(({ meant }) => meant === undefined);
  return ignored.slice(0, maxIgnored).map(({ path }) => toPointer(path));
}

/** The sent fields that the provider does not receive in full. */
export function notForwarded(
  draft: RawInput,
  capabilities: ProviderCapabilities,
): KycValidation["notForwarded"] {
  return submissionFields
    .flatMap((field) => {
      const message = lossOfField(capabilities, field);
      return message === undefined
        ? []
        : valuesOf(draft, field).map(({ path }) => ({ path: toPointer(path), message }));
    })
    .slice(0, maxIgnored);
}
