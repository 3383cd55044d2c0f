import * as z from "zod";
import { filePurpose } from "../files/file.ts";
import { hongKongDecision } from "./hong-kong-decision.ts";
import { kycSubmission } from "./submission.ts";

/** What is known of a user before a submission (an extension). */
export const kycRequirementsQuery = kycSubmission
  .pick({ documentType: true, documentCountry: true, nationality: true })
  .partial()
  .meta({ id: "KycRequirementsQuery" });
export type KnownFields = z.output<typeof kycRequirementsQuery>;

const limit = (description: string) => z.int().min(0).optional().meta({ description });

const fieldInList = z.object({
  name: z.string().meta({ description: "The field's name in the body." }),
  presence: z.enum(["required", "optional", "conditional"]).meta({
    description: "Whether the body has the field. A rule decides on a conditional one: see `conditions`.",
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
    .meta({ description: "The allowed values. Without it, any that the limits and patterns allow." }),
  minLength: limit("The minimum number of characters."),
  maxLength: limit("The maximum number of characters."),
  patterns: z
    .array(z.string())
    .optional()
    .meta({ description: "Regular expressions that the value matches, all of them." }),
  minItems: limit("The minimum number of items."),
  maxItems: limit("The maximum number of items."),
  inWords: z
    .array(z.string())
    .optional()
    .meta({ description: "What the value has to be besides, which patterns cannot express." }),
  notForwarded: z
    .string()
    .optional()
    .meta({ description: "What the card provider does not get of the field. Absent: it gets all." }),
  filePurpose: filePurpose.optional().meta({ description: "The purpose to upload this file with." }),
});

const field = fieldInList.extend({
  fields: z.array(fieldInList).optional().meta({ description: "The fields of each item of an array." }),
});
export type FieldRequirement = z.output<typeof field>;

const rule = z.object({
  id: z.string().meta({ description: "The rule's id, as in `errors`." }),
  description: z.string().meta({ description: "The rule in a sentence." }),
  inWords: z.string().optional().meta({ description: "What JSON Schema cannot express of it." }),
});

/** What a submission of this user needs: enough to build a form (an extension). */
export const kycRequirements = z
  .object({
    hongKong: hongKongDecision,
    fields: z.array(field).meta({ description: "Every field that the body may have." }),
    rules: z.array(rule).meta({
      description:
        "The rules that `fields` does not express in full. The OpenAPI document has each as JSON Schema, by its `x-rule`.",
    }),
  })
  .meta({ id: "KycRequirements" });
export type KycRequirements = z.output<typeof kycRequirements>;
