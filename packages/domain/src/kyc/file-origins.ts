import { fileUrl } from "../input/formats.ts";
import type { JsonSchema, RawInput, Rule } from "../input/rule.ts";
import { namedHttpsPattern, originVariants, urlRest } from "../input/url-pattern.ts";
import type { Policies } from "./policies.ts";
import { fileFields, filesOf, type NamedFile } from "./submission-files.ts";

/** Non-public host names: reserved names (RFC 6761, 6762, 8375, ICANN's .internal) and common private names. */
const privateNames = [
  "localhost",
  "local",
  "internal",
  "home.arpa",
  "test",
  "example",
  "invalid",
  "onion",
  "alt",
  "localdomain",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
];

/** A body with file URLs: all of them, and the schema that limits each. */
export interface FileBody {
  filesOf(input: RawInput): NamedFile[];
  schemaOf(url: JsonSchema): JsonSchema;
}

const submissionBody: FileBody = {
  filesOf,
  schemaOf: (url) => ({
    properties: {
      ...Object.fromEntries(Object.keys(fileFields).map((field) => [field, url])),
      // Linters that check examples expect every field of the item here.
      supportingDocuments: { items: { properties: { documentType: {}, fileUrl: url } } },
    },
  }),
};

/** The origins that a policy accepts in addition to this service. */
interface Accepted {
  patterns: string[];
  /** A condition that the patterns cannot express. */
  inWords?: { description: string; holds(url: string): boolean };
  /** Completes the sentences "File URLs are …" and "Send …". */
  help: string;
}

/**
 * Restricts file URLs by their origins (G21). Uploads to this service are always accepted. The policy `any` has no
 * rule.
 */
export function fileOriginsRules(
  { fileOrigins, ownOrigin }: Policies,
  body: FileBody = submissionBody,
): Rule[] {
  return fileOrigins === "any" ? [] : [originsRule(body, originVariants(ownOrigin), accepted(fileOrigins))];
}

function accepted(origins: Exclude<Policies["fileOrigins"], "any">): Accepted {
  if (origins === "uploads") return { patterns: [], help: "the url of an upload to this service" };
  if (origins === "public") {
    return {
      patterns: [namedHttpsPattern],
      inWords: {
        description: `The host name is public: it neither is nor ends with one of ${privateNames.join(", ")}.`,
        holds: hasPublicName,
      },
      help: "the url of an upload, or an https URL with a public host name and without another port",
    };
  }
  const patterns = origins.map(originVariants);
  return { patterns, help: `the url of an upload, or a URL under ${origins.join(" or ")}` };
}

function originsRule(
  { filesOf, schemaOf }: FileBody,
  own: string,
  { patterns, inWords, help }: Accepted,
): Rule {
  const id = "file-origin";
  const isOwn = new RegExp(patternOf([own]), "u");
  const pattern = patternOf([own, ...patterns]);
  const matches = new RegExp(pattern, "u");
  const isAllowed = (url: string) => isOwn.test(url) || (matches.test(url) && (inWords?.holds(url) ?? true));
  return {
    id,
    section: "G21",
    description: `Each file URL is ${help}.`,
    ...(inWords ? { inWords: inWords.description } : {}),
    // An invalid URL already has a violation of its format.
    check: (input) =>
      filesOf(input)
        .filter(({ url }) => fileUrl.safeParse(url).success && !isAllowed(url))
        .map(({ path }) => ({ path, rule: id, message: `Send ${help}.` })),
    schema: schemaOf({ pattern }),
  };
}

const patternOf = (origins: readonly string[]) => `^(?:${origins.join("|")})${urlRest}$`;

/** Whether the host name of a URL is under none of `privateNames`. */
function hasPublicName(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return !privateNames.some((name) => host === name || host.endsWith(`.${name}`));
}
