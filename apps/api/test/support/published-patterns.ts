import { defaultPolicies, type Policies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import fc from "fast-check";
import { createDocument } from "../../src/http/openapi/document.ts";
import { restRoutes } from "../../src/http/rest/routes.ts";

const fileOrigins: Policies["fileOrigins"][] = [
  defaultPolicies.fileOrigins,
  "uploads",
  ["https://files.example.com", "http://127.0.0.1:8080"],
];

/** Every pattern of the OpenAPI document, under each kind of policy for file URLs. */
export const publishedPatterns = (): string[] => [...publishedLengths().keys()];

/** The largest maximum length that the document publishes beside each pattern. */
export function publishedLengths(): Map<string, number> {
  const found = new Map<string, number>();
  for (const policy of fileOrigins) {
    const routes = restRoutes(createOperations({ ...defaultPolicies, fileOrigins: policy }));
    JSON.stringify(
      createDocument(routes, { publicUrl: "https://cards.cardbridge.test", environment: "test" }),
      (_key, value) => {
        const { pattern, maxLength = Number.POSITIVE_INFINITY } = Object(value);
        if (typeof pattern === "string") found.set(pattern, Math.max(maxLength, found.get(pattern) ?? 0));
        return value;
      },
    );
  }
  return found;
}

/** Characters that engines treat differently: line ends, spaces, digits, letters with odd cases, and astral ones. */
export const oddCharacters = [
  ..."\n\r\u0085\u2028\u2029 \t\v\f\u00a0\u1680\u3000\ufeff\u200b",
  ..."\u0000\u001f\u007f\u009f٣０²é\u0301ſK\u212aİß",
  ..."\u{1f600}\u{10000}\u{10ffff}\ud7ff\ue000\ufffd\uffff",
];

/** Texts that match, texts that nearly do, and texts of the pattern's own characters. */
export function textsFor(pattern: string): fc.Arbitrary<string> {
  const matching = fc.stringMatching(new RegExp(pattern, "u"));
  const own = fc.constantFrom(...new Set(pattern), ...oddCharacters);
  const nearly = fc.tuple(matching, own, fc.nat(), fc.boolean()).map(([text, character, at, replaces]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + character + text.slice(place + (replaces ? 1 : 0));
  });
  const any = fc.string({ unit: own, maxLength: 12 });
  const trailing = matching.map((text) => `${text}\n`);
  return fc.oneof(matching, nearly, any, trailing);
}
