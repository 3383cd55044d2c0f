import { type FieldSupport, submissionFields } from "@cardbridge/domain";
import { airwallexCapabilities } from "@cardbridge/provider";
import { code, codes, tableOf } from "./rows.ts";

const { fields, files, rules = [] } = airwallexCapabilities;

/** A row of each field of a submission that Airwallex receives, with its name there and what is lost. */
export function airwallexFields(): string {
  const rows = submissionFields.flatMap((field) => {
    const support = fields[field];
    if (support.support === "not carried") return [];
    return [[code(field), code(support.place), limitsOf(support)]];
  });
  return tableOf(["Field", "Airwallex's field", "Limit or loss"], rows);
}

/** What Airwallex does not receive, and its rules for fields and files. */
export function airwallexRules(): string {
  const others = submissionFields.flatMap((field) => {
    const support = fields[field];
    return support.support === "not carried" ? [{ field, ...support }] : [];
  });
  const dropped = others.filter(({ refused }) => !refused).map(({ field }) => field);
  const refused = others.filter((other) => other.refused);
  return [
    `Not sent: ${codes(dropped)}.`,
    ...refused.map(({ field, loss }) => `A submission with ${code(field)} is rejected. ${loss}`),
    ...rules.map(({ description }) => description),
    ...(files ? [`A file is ${files.types.join(", ")}, of at most ${files.maxBytes} bytes.`] : []),
  ]
    .map((line) => `- ${line}`)
    .join("\n");
}

function limitsOf(support: Exclude<FieldSupport, { support: "not carried" }>): string {
  const { values, countries, maxLength } = support;
  return [
    ...("loss" in support ? [support.loss] : []),
    ...(values ? [`Accepts only: ${values.join(", ")}.`] : []),
    ...(countries ? [`Accepts only the countries ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].join(" ");
}
