import { platformAdvice } from "@cardbridge/api/advice";
import { errorMapping } from "@cardbridge/api/errors";
import {
  defaultPolicies,
  describeRequirements,
  documentTypes,
  isFinal,
  type KnownFields,
  type KycReasonCode,
  knownSubStatuses,
  kycReasonCodes,
  kycStatus,
  messages,
  personMessages,
  reasonMessages,
  statusMeanings,
  submissionErrors,
  unifiedStatus,
} from "@cardbridge/domain";
import { code, codes, tableOf } from "./rows.ts";

const { fields, rules } = describeRequirements(defaultPolicies, {});
type Field = (typeof fields)[number];

/** A row of each field of a submission. The fields of supporting documents follow their array. */
export function kycFields(): string {
  const rows = fields.flatMap(({ fields: inner = [], ...field }) => [
    rowOf(field),
    // Two pieces of code, between which a line can break.
    ...inner.map((each) => [`${code(`${field.name}[]`)} ${code(`.${each.name}`)}`, ...rowOf(each).slice(1)]),
  ]);
  return tableOf(["Field", "Required", "Meaning, type and limits"], rows);
}

const rowOf = (field: Field) => [
  code(field.name),
  requiredOf(field),
  [field.description, `${limitsOf(field)}.`].join(" ").trim(),
];

/** Whether a field is required: always, for some document types, for users from outside Hong Kong, or by a rule. */
function requiredOf({ name, presence, conditions = [] }: Field): string {
  if (presence === "required") return "yes";
  const types = documentTypes.filter((documentType) => isRequired(name, { documentType }));
  if (types.length > 0) return `if \`documentType\` is ${types.map(code).join(" or ")}`;
  if (isRequired(name, { documentCountry: "SG", nationality: "SG" }))
    return `for non-HK users: unless ${defaultPolicies.hongKong.description}`;
  return rules.find(({ id }) => conditions.includes(id))?.description ?? "no";
}

const isRequired = (name: string, known: KnownFields) =>
  describeRequirements(defaultPolicies, known).fields.find((field) => field.name === name)?.presence ===
  "required";

function limitsOf({ kind, values, minLength = 0, maxLength, maxItems, filePurpose }: Field): string {
  const type = kind.charAt(0).toUpperCase() + kind.slice(1);
  if (values) return `${type}: ${codes(values)}`;
  if (maxItems !== undefined) return `${type} of up to ${maxItems} items`;
  if (maxLength === undefined) return type;
  const length = `${type} of ${minLength === 0 ? "up to" : `${minLength} to`} ${maxLength} characters`;
  return filePurpose === undefined ? length : `${length}, uploaded with the purpose ${code(filePurpose)}`;
}

/** A row of each unified status, with the raw statuses that become it. */
export function kycStatuses(): string {
  const rows = kycStatus.options.map((status) => [
    code(status),
    statusMeanings[status],
    codes(knownSubStatuses.filter((subStatus) => unifiedStatus({ subStatus }) === status)),
    isFinal({ resolution: "answered", status }) ? "yes" : "no",
  ]);
  return tableOf(["`status`", "Meaning", "`subStatus`", "Final"], rows);
}

/** A row of each response to a submission that is about its content. */
export function submissionResponses(): string {
  const errors = ["INVALID_INPUT", ...submissionErrors] as const;
  const rows = errors
    .toSorted((a, b) => errorMapping[a].status - errorMapping[b].status)
    .map((name) => [String(errorMapping[name].status), code(name), messages[name], platformAdvice[name]]);
  return tableOf(
    ["HTTP", "`code`", "Meaning", "What to do"],
    [
      ["200", "`KYC_SUBMITTED`", messages.KYC_SUBMITTED, "Read `status`."],
      [
        "202",
        "`KYC_ACCEPTED`",
        messages.KYC_ACCEPTED,
        "Do not retry. Poll the record, or wait for a webhook.",
      ],
      ...rows,
    ],
  );
}

/** A row of each reason of a refusal or a rejection, with a sentence for the person. */
export function kycReasons(): string {
  const rowOfReason = (reason: KycReasonCode) => [
    code(reason),
    personMessages[reason],
    reasonMessages[reason],
  ];
  return tableOf(["Code", "What to tell the user", "`message`"], kycReasonCodes.map(rowOfReason));
}
