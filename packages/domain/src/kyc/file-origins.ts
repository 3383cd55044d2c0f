import type { JsonSchema, Rule } from "../input/rule.ts";
import { caseless } from "../input/url-pattern.ts";
import { fileFields } from "./submission-files.ts";

const urlFields = Object.keys(fileFields);

/**
 * Restricts file URLs to these origins, each in the form of `new URL(…).origin` (gap G21). Without origins there is no
 * restriction, and `kycRules` omits this rule.
 */
export function fileOriginsRule(origins: readonly string[]): Rule {
  const id = "file-origin";
  const pattern = `^(${origins.map(originVariants).join("|")})(/|\\?|#|$)`;
  const allowed = new RegExp(pattern, "u");
  const isRefused = (url: unknown) => typeof url === "string" && !allowed.test(url);
  const violation = (path: (string | number)[]) => ({
    path,
    rule: id,
    message: `Send a URL under one of: ${origins.join(", ")}.`,
  });

  return {
    id,
    section: "G21",
    description: `File URLs are under ${origins.join(" or ")}.`,
    check(input) {
      const documents = Array.isArray(input.supportingDocuments) ? input.supportingDocuments : [];
      return [
        ...urlFields.filter((field) => isRefused(input[field])).map((field) => violation([field])),
        ...documents.flatMap((document, index) =>
          isRefused(document?.fileUrl) ? [violation(["supportingDocuments", index, "fileUrl"])] : [],
        ),
      ];
    },
    schema: schema(pattern),
  };
}

function schema(pattern: string): JsonSchema {
  const url = { pattern };
  return {
    properties: {
      ...Object.fromEntries(urlFields.map((field) => [field, url])),
      supportingDocuments: { items: { properties: { fileUrl: url } } },
    },
  };
}

/** Scheme and host in any case, with or without the default port. */
function originVariants(origin: string): string {
  const { protocol, port } = new URL(origin);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return caseless(origin) + (port === "" ? `(:${defaultPort})?` : "");
}
