import type { JsonSchema, Rule } from "../input/rule.ts";
import { caseless } from "../input/url-pattern.ts";
import { fileFields } from "./submission-files.ts";

const urlFields = Object.keys(fileFields);

/**
 * Lets file URLs come from the given origins only, each as `new URL(…).origin` writes it (gap G21).
 * An empty list of origins means no restriction: then the rule is left out.
 */
export function fileOriginsRule(origins: readonly string[]): Rule {
  const id = "file-origin";
  const pattern = `^(${origins.map(anySpelling).join("|")})(/|\\?|#|$)`;
  const allowed = new RegExp(pattern, "u");
  const refused = (url: unknown) => typeof url === "string" && !allowed.test(url);
  const violation = (path: (string | number)[]) => ({
    path,
    rule: id,
    message: `Files have to be under: ${origins.join(", ")}.`,
  });

  return {
    id,
    section: "G21",
    description: `Files are under ${origins.join(" or ")}.`,
    check(input) {
      const documents = Array.isArray(input.supportingDocuments) ? input.supportingDocuments : [];
      return [
        ...urlFields.filter((field) => refused(input[field])).map((field) => violation([field])),
        ...documents.flatMap((document, index) =>
          refused(document?.fileUrl) ? [violation(["supportingDocuments", index, "fileUrl"])] : [],
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

/** Scheme and host in any case, and the scheme's own port spelled out or not. */
function anySpelling(origin: string): string {
  const { protocol, port } = new URL(origin);
  const ownPort = protocol === "https:" ? 443 : 80;
  return caseless(origin) + (port === "" ? `(:${ownPort})?` : "");
}
