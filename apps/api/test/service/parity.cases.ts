import { exampleSubmission } from "@cardbridge/service";

const valid = exampleSubmission.input;
const { documentExpiryDate: _date, ...undated } = valid;
const { supportingDocuments: _documents, ...undocumented } = valid;
const document = valid.supportingDocuments?.[0];

/** List queries with the expected response of both transports: the path and the rule of each violation. */
export const listCases: [string, Record<string, string | number>, number, string[]][] = [
  ["by e-mail in another case", { email: "Someone@Example.com" }, 200, []],
  ["with everything", { memberId: "member-1", status: "active", page: 2, pageSize: 1 }, 200, []],
  ["an unknown status", { memberId: "member-1", status: "frozen" }, 200, []],
  ["an unknown user", { memberId: "nobody" }, 404, []],
  ["both identifiers", { memberId: "m", email: "a@b.co" }, 400, ["email exactly-one-identifier"]],
  ["an invisible identifier", { memberId: "   " }, 400, ["memberId member-id"]],
  ["a control character", { memberId: "a\u0000b" }, 400, ["memberId member-id"]],
  ["a fraction", { memberId: "m", page: 1.5 }, 400, ["page integer"]],
  ["page 10001", { memberId: "m", page: 10_001 }, 400, ["page maximum"]],
  [
    "many at once",
    { page: 0, pageSize: 101, status: "" },
    400,
    ["email exactly-one-identifier", "page minimum", "pageSize maximum", "status raw-value"],
  ],
  ["a misspelled field", { memberId: "m", page_size: 1 }, 400, [" unknown-parameter"]],
];

/** Submissions with the expected response of both transports. */
export const submitCases: [string, unknown, number, string[]][] = [
  ["a complete body", valid, 200, []],
  ["unknown fields", { ...valid, more: { of: ["it"] } }, 200, []],
  [
    "misspelled fields",
    {
      ...valid,
      backImageURL: valid.frontImageUrl,
      supportingDocuments: [{ ...document, FILE_URL: "x" }],
    },
    400,
    ["/backImageUrl misspelled-field", "/supportingDocuments/0/fileUrl misspelled-field"],
  ],
  [
    "too many supporting documents",
    { ...valid, supportingDocuments: [{}, ...Array(10).fill(document)] },
    400,
    [
      "/supportingDocuments max-items",
      "/supportingDocuments/0/documentType required",
      "/supportingDocuments/0/fileUrl required",
    ],
  ],
  [
    "violations of the rules between fields",
    { ...undocumented, documentType: "id_card", documentPermanentlyValid: true },
    400,
    [
      "/backImageUrl back-image-required",
      "/documentExpiryDate document-expiry-exactly-one",
      "/supportingDocuments supporting-documents-required",
    ],
  ],
  ["neither kind of validity", undated, 400, ["/documentExpiryDate document-expiry-exactly-one"]],
  ["null for text", { ...valid, name: null }, 400, ["/name type"]],
  ["an array", [], 400, [" type"]],
  ["a text", '"text"', 400, [" type"]],
  ["null", "null", 400, [" type"]],
  ["a NUL byte", { ...valid, name: "a\u0000b" }, 400, ["/name text-256"]],
  ["a lone surrogate", { ...valid, name: "a\ud800" }, 400, ["/name text-256"]],
  ["deep nesting", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 400, [" json-depth"]],
  ["invalid JSON", "{", 400, [" json"]],
  ["an empty body", "", 400, [" json"]],
  ["a body beyond 64 KB", { ...valid, name: "x".repeat(70_000) }, 413, []],
];
