import * as z from "zod";
import { filePurpose } from "../files/file.ts";
import { hongKongDecision } from "./hong-kong-decision.ts";
import { kycSubmission } from "./submission.ts";

/** The known fields of a user before a submission (an extension). */
export const kycRequirementsQuery = kycSubmission
  .pick({ documentType: true, documentCountry: true, nationality: true })
  .partial()
  .meta({ id: "KycRequirementsQuery" });
export type KnownFields = z.output<typeof kycRequirementsQuery>;

const limit = (description: string) => z.int().min(0).optional().meta({ description });

const fieldInList = z.object({
  name: z.string().meta({ description: "The field's name in the body." }),
  presence: z.enum(["required", "optional", "conditional"]).meta({
    description:
      "Whether the body must have the field. Rules decide on a conditional field: see `conditions`.",
  }),
  conditions: z
    .array(z.string())
    .optional()
    .meta({ description: "The ids of the rules that decide on a conditional field." }),
  kind: z.string().meta({ description: "The field's JSON type: string, boolean or array." }),
  description: z.string().optional().meta({ description: "The field in words." }),
  values: z
    .array(z.union([z.string(), z.boolean()]))
    .optional()
    .meta({ description: "The allowed values. Absent: every value within the limits and patterns." }),
  minLength: limit("The minimum number of characters."),
  maxLength: limit("The maximum number of characters."),
  patterns: z
    .array(z.string())
    .optional()
    .meta({ description: "Regular expressions. The value must match all of them." }),
  minItems: limit("The minimum number of items."),
  maxItems: limit("The maximum number of items."),
  inWords: z
    .array(z.string())
    .optional()
    .meta({ description: "Further conditions on the value, which patterns cannot express." }),
  notForwarded: z
    .string()
    .optional()
    .meta({ description: "The part of the field that the card provider does not receive. Absent: none." }),
  filePurpose: filePurpose.optional().meta({ description: "The purpose with which to upload this file." }),
});

const field = fieldInList.extend({
  fields: z.array(fieldInList).optional().meta({ description: "The fields of each item of an array." }),
});
export type FieldRequirement = z.output<typeof field>;

const rule = z.object({
  id: z.string().meta({ description: "The rule's id, as in `errors`." }),
  description: z.string().meta({ description: "The rule in a sentence." }),
  inWords: z
    .string()
    .optional()
    .meta({ description: "The part of the rule that JSON Schema cannot express." }),
});

/** The requirements of a submission of this user, with all facts to build a form (an extension). */
export const kycRequirements = z
  .object({
    hongKong: hongKongDecision,
    fields: z.array(field).meta({ description: "Every field that the body may have." }),
    rules: z.array(rule).meta({
      description:
        "The rules that `fields` does not express in full. The OpenAPI document has each rule as JSON Schema, by its " +
        "`x-rule`.",
    }),
  })
  .meta({ id: "KycRequirements" });
export type KycRequirements = z.output<typeof kycRequirements>;
