import type { Predicate } from "../input/rule.ts";

const isHongKong = { type: "string", pattern: "^[Hh][Kk]$", maxLength: 2 };

function fieldIsHongKong(field: "documentCountry" | "nationality"): Predicate {
  return {
    id: field,
    fields: [field],
    description: `${field} is HK`,
    holds(input) {
      const value = input[field];
      return typeof value === "string" && value.toUpperCase() === "HK";
    },
    schema: { properties: { [field]: isHongKong }, required: [field] },
  };
}

const documentCountry = fieldIsHongKong("documentCountry");
const nationality = fieldIsHongKong("nationality");

/** The policies for Hong Kong users in the rule for supportingDocuments (G9). */
export const hongKongPolicies = {
  documentCountry,
  nationality,
  either: {
    id: "either",
    fields: ["documentCountry", "nationality"],
    description: "documentCountry or nationality is HK",
    holds: (input) => documentCountry.holds(input) || nationality.holds(input),
    schema: { anyOf: [documentCountry.schema, nationality.schema] },
  },
} satisfies Record<string, Predicate>;
