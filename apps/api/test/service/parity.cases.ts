import { exampleSubmission } from "@cardbridge/operations";

const valid = exampleSubmission.input;
const { documentExpiryDate: _date, ...undated } = valid;
const { supportingDocuments: _documents, ...undocumented } = valid;

/** List queries with the expected response of both transports. */
export const listCases: [string, Record<string, string | number>, number, string[]][] = [
  ["by memberId", { memberId: "member-1" }, 200, []],
  ["by e-mail in another case", { email: "Someone@Example.com" }, 200, []],
  ["with everything", { memberId: "member-1", status: "active", page: 2, pageSize: 1 }, 200, []],
  ["an unknown status", { memberId: "member-1", status: "frozen" }, 200, []],
  ["neither identifier", {}, 400, ["email exactly-one-identifier"]],
  ["both identifiers", { memberId: "m", email: "a@b.co" }, 400, ["email exactly-one-identifier"]],
  ["an empty identifier", { memberId: "" }, 400, ["memberId member-id"]],
  ["a long identifier", { memberId: "m".repeat(65) }, 400, ["memberId member-id"]],
  ["a control character", { memberId: "a\u0000b" }, 400, ["memberId member-id"]],
  ["page 0", { memberId: "m", page: 0 }, 400, ["page minimum"]],
  ["a negative page", { memberId: "m", page: -1 }, 400, ["page minimum"]],
  ["a fraction", { memberId: "m", page: 1.5 }, 400, ["page integer"]],
  ["page 10001", { memberId: "m", page: 10_001 }, 400, ["page maximum"]],
  ["pageSize 101", { memberId: "m", pageSize: 101 }, 400, ["pageSize maximum"]],
  [
    "many at once",
    { page: 0, pageSize: 101, status: "" },
    400,
    ["email exactly-one-identifier", "page minimum", "pageSize maximum", "status raw-value"],
  ],
  ["an unknown field", { memberId: "m", statsu: "active" }, 400, [" unknown-parameter"]],
  ["a misspelled field", { memberId: "m", page_size: 1 }, 400, [" unknown-parameter"]],
  ["an invisible identifier", { memberId: "   " }, 400, ["memberId member-id"]],
  ["an unknown user", { memberId: "nobody" }, 404, []],
];

/** Submissions with the expected response of both transports. */
export const submitCases: [string, unknown, number, string[]][] = [
  ["a complete body", valid, 200, []],
  ["unknown fields", { ...valid, memberId: "m2", more: { of: ["it"] } }, 200, []],
  [
    "misspelled fields",
    {
      ...valid,
      backImageURL: valid.frontImageUrl,
      supportingDocuments: [{ ...valid.supportingDocuments?.[0], FILE_URL: "x" }],
    },
    400,
    ["/backImageUrl misspelled-field", "/supportingDocuments/0/fileUrl misspelled-field"],
  ],
  ["an invisible memberId", { ...valid, memberId: "   " }, 400, ["/memberId member-id"]],
  [
    "too many supporting documents",
    { ...valid, supportingDocuments: [{}, ...Array(10).fill(valid.supportingDocuments?.[0])] },
    400,
    [
      "/supportingDocuments max-items",
      "/supportingDocuments/0/documentType required",
      "/supportingDocuments/0/fileUrl required",
    ],
  ],
  ["permanent validity", { ...undated, memberId: "m3", documentPermanentlyValid: true }, 200, []],
  [
    "Hong Kong without supporting documents",
    { ...undocumented, memberId: "m4", documentCountry: "HK" },
    200,
    [],
  ],
  [
    "both kinds of validity",
    { ...valid, documentPermanentlyValid: true },
    400,
    ["/documentExpiryDate document-expiry-exactly-one"],
  ],
  ["neither kind of validity", undated, 400, ["/documentExpiryDate document-expiry-exactly-one"]],
  [
    "permanent validity false",
    { ...undated, documentPermanentlyValid: false },
    400,
    ["/documentPermanentlyValid document-permanently-valid-true"],
  ],
  ["no back image", { ...valid, documentType: "id_card" }, 400, ["/backImageUrl back-image-required"]],
  ["no supporting documents", undocumented, 400, ["/supportingDocuments supporting-documents-required"]],
  ["null for text", { ...valid, name: null }, 400, ["/name type"]],
  ["an array", [], 400, [" type"]],
  ["a text", '"text"', 400, [" type"]],
  ["null", "null", 400, [" type"]],
  ["a NUL byte", { ...valid, name: "a\u0000b" }, 400, ["/name text-256"]],
  ["a lone surrogate", { ...valid, name: "a\ud800" }, 400, ["/name text-256"]],
  [
    "an unusable URL",
    { ...valid, frontImageUrl: "https://a.test:99999/x" },
    400,
    ["/frontImageUrl http-url"],
  ],
  ["deep nesting", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 400, [" json-depth"]],
  ["invalid JSON", "{", 400, [" json"]],
  ["an empty body", "", 400, [" json"]],
  ["a body beyond 64 KB", { ...valid, name: "x".repeat(70_000) }, 413, []],
];
