import type * as z from "zod";
import type { FileLimits } from "../files/ports.ts";
import { isRecord } from "../input/is-record.ts";
import type { RawInput, Rule } from "../input/rule.ts";
import { type KycSubmission, kycSubmission, supportingDocument } from "./submission.ts";

type Item = keyof z.output<typeof supportingDocument>;

/** A field that may leave the service. Fields of supporting documents have the array's name as prefix. */
export type SubmissionField =
  | Exclude<keyof KycSubmission, "memberId" | "supportingDocuments">
  | `supportingDocuments.${Item}`;

/** The values of a field that the provider accepts. Without a limit, it accepts every value of the interface. */
export interface ValueLimits {
  /** The accepted values of an enumeration. */
  values?: readonly string[];
  /** The accepted countries, upper-case. */
  countries?: readonly string[];
  /** The maximum number of characters. */
  maxLength?: number;
}

/**
 * Whether a field reaches the provider, and its name there (`place`). `loss` is one sentence about the part that the
 * provider does not receive. `refused` rejects submissions with the field; only optional fields can have it.
 */
export type FieldSupport =
  | ({ support: "carried"; place: string } & ValueLimits)
  | ({ support: "carried with loss"; place: string; loss: string } & ValueLimits)
  | { support: "not carried"; loss: string; refused?: true };

/**
 * The fields and files that a provider supports, declared by its adapter (G34). Submissions, validations and
 * requirements depend on it, and tables of the documentation are generated from it.
 */
export interface ProviderCapabilities {
  /** Whether the adapter sends the URLs of files or their bytes. */
  fileDelivery: "url" | "bytes";
  /** Absent: the provider accepts every stored file. */
  files?: FileLimits;
  /** Whether the provider verifies an approved user again and keeps their account and cards (G44). */
  renews: boolean;
  fields: Readonly<Record<SubmissionField, FieldSupport>>;
  /** Conditions between fields, such as the document types of a country. */
  rules?: readonly Rule[];
}

const { memberId: _, supportingDocuments: __, ...fields } = kycSubmission.shape;

const itemFields = Object.entries(supportingDocument.shape).map(([name, schema]) => [
  `supportingDocuments.${name}`,
  schema,
]);
const schemas: Readonly<Record<SubmissionField, z.ZodType>> = {
  ...fields,
  ...Object.fromEntries(itemFields),
};

/** Every field that may leave the service, in the order of the interface. */
export const submissionFields = Object.keys(schemas) as SubmissionField[];

/** Whether a value of a field satisfies the interface. */
export const isValid = (field: SubmissionField, value: unknown) => schemas[field].safeParse(value).success;

/** The capabilities of a provider without limits. */
export const unlimitedCapabilities: ProviderCapabilities = {
  fileDelivery: "url",
  renews: true,
  fields: Object.fromEntries(
    submissionFields.map((field) => [field, { support: "carried", place: field }]),
  ) as Record<SubmissionField, FieldSupport>,
};

/** The loss of a field in one sentence; undefined if the provider receives the whole field, or for an unknown field. */
export function lossOfField({ fields }: ProviderCapabilities, field: string): string | undefined {
  const support = Object.hasOwn(fields, field) ? fields[field as SubmissionField] : undefined;
  return support && "loss" in support ? support.loss : undefined;
}

/** The sent values of a field in a raw submission, with their paths. */
export function valuesOf(
  input: RawInput,
  field: SubmissionField,
): { value: unknown; path: (string | number)[] }[] {
  const [name = "", inner] = field.split(".");
  const value = input[name];
  const values =
    inner === undefined
      ? [{ value, path: [name] }]
      : (Array.isArray(value) ? value : []).map((item: unknown, index) => ({
          value: isRecord(item) ? item[inner] : undefined,
          path: [name, index, inner],
        }));
  return values.filter((one) => one.value !== undefined);
}
