import { cardProperties } from "./cards-schemas.js";
import { compileAnswer } from "./validators.js";

const text = { type: "string" };
const nullableText = { type: "string", nullable: true, default: null };

/** A page of cards as the provider answers it. The service's own response schema keeps what callers may see. */
export const isProviderPage = compileAnswer<{
  userReference: string;
  page: number;
  pageSize: number;
  total: number;
  items: { userReference: string }[];
}>({
  type: "object",
  required: ["userReference", "page", "pageSize", "total", "items"],
  properties: {
    userReference: text,
    page: { type: "integer" },
    pageSize: { type: "integer" },
    total: { type: "integer", minimum: 0 },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["userReference", "cardId", "status"],
        properties: { userReference: text, ...cardProperties },
      },
    },
  },
});

/** The state of a submission. */
export const isState = compileAnswer<{ reference: string; status: string; cardAccountId: string | null }>({
  type: "object",
  required: ["reference", "userReference", "status", "revision"],
  properties: {
    reference: text,
    userReference: text,
    status: text,
    cardAccountId: nullableText,
    revision: { type: "integer" },
  },
});

/** The one documented refusal. */
export const isRefusal = compileAnswer<{ reference: string }>({
  type: "object",
  required: ["reference", "error"],
  properties: {
    reference: text,
    error: { type: "object", required: ["code"], properties: { code: { const: "kyc_refused" } } },
  },
});
