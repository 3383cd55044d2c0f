import { type FieldSupport, type SubmissionField, submissionFields } from "@cardbridge/domain";
import { airwallexCapabilities } from "@cardbridge/provider";
import { code, codes } from "./rows.ts";

const { fields, files, rules = [] } = airwallexCapabilities;

/** What Airwallex does not receive of a submission, and its rules for fields and files. */
export function airwallexFields(): string {
  const lines = submissionFields.flatMap((field) => linesOf(field, fields[field]));
  const dropped = submissionFields.filter((field) => isDropped(fields[field]));
  return [
    `Not sent: ${codes(dropped)}.`,
    ...lines,
    ...rules.map(({ description }) => description),
    ...(files ? [`A file is ${files.types.join(", ")}, of at most ${files.maxBytes} bytes.`] : []),
  ]
    .map((line) => `- ${line}`)
    .join("\n");
}

const isDropped = (support: FieldSupport) => support.support === "not carried" && !support.refused;

function linesOf(field: SubmissionField, support: FieldSupport): string[] {
  if (isDropped(support)) return [];
  if (support.support === "not carried") return [`${code(field)} is rejected. ${support.loss}`];
  const { values, countries, maxLength } = support;
  return [
    ...("loss" in support ? [support.loss] : []),
    ...(values ? [`Accepts only: ${values.join(", ")}.`] : []),
    ...(countries ? [`Accepts only the countries ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].map((line) => `${code(field)}: ${line}`);
}
