import { defaultPolicies, type Policies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/operations";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createDocument } from "../../../src/openapi/document.ts";
import { restRoutes } from "../../../src/rest/routes.ts";
import { type Cases, checkInPython, engines } from "./engines.ts";

/*
 * Every published pattern compiles under RE2, Python's re and ECMAScript with and without the u flag, and all engines
 * agree on a full match for every text of Unicode scalar values (gap G21).
 */

const fileOrigins: Policies["fileOrigins"][] = [
  defaultPolicies.fileOrigins,
  "uploads",
  ["https://files.example.com", "http://127.0.0.1:8080"],
];

function publishedPatterns(): string[] {
  const found = new Set<string>();
  for (const policy of fileOrigins) {
    const routes = restRoutes(createOperations({ ...defaultPolicies, fileOrigins: policy }));
    JSON.stringify(
      createDocument(routes, { publicUrl: "https://cards.cardbridge.test", environment: "test" }),
      (key, value) => {
        if (key === "pattern") found.add(value);
        return value;
      },
    );
  }
  return [...found];
}

/** Characters that engines treat differently: line ends, spaces, digits, letters with odd cases, and astral ones. */
const odd = [
  ..."\n\r\u0085\u2028\u2029 \t\v\f\u00a0\u1680\u3000\ufeff\u200b",
  ..."\u0000\u001f\u007f\u009f٣０²é\u0301ſK\u212aİß",
  ..."\u{1f600}\u{10000}\u{10ffff}\ud7ff\ue000\ufffd\uffff",
];

/** Texts that match, texts that nearly do, and texts of the pattern's own characters. */
function textsFor(pattern: string): string[] {
  const matching = fc.stringMatching(new RegExp(pattern, "u"));
  const own = fc.constantFrom(...new Set(pattern), ...odd);
  const nearly = fc.tuple(matching, own, fc.nat(), fc.boolean()).map(([text, character, at, replaces]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + character + text.slice(place + (replaces ? 1 : 0));
  });
  const any = fc.string({ unit: own, maxLength: 12 });
  const trailing = matching.map((text) => `${text}\n`);
  const sample = fc.sample(fc.oneof(matching, nearly, any, trailing), { numRuns: 150, seed: 1 });
  return [...new Set(["", "\n", ...odd, ...sample])].filter((text) => text.isWellFormed());
}

const cases: Cases = publishedPatterns().map((pattern) => [pattern, textsFor(pattern)]);
const expected = cases.map(([pattern, texts]) => texts.map(engines["ECMAScript with u"](pattern)));

/** The first texts of each pattern on which an engine disagrees with ECMAScript. */
function differences(verdicts: readonly (readonly boolean[])[]) {
  return cases.flatMap(([pattern, texts], index) => {
    const differ = texts.filter((_, at) => verdicts[index]?.[at] !== expected[index]?.[at]);
    return differ.length > 0 ? [{ pattern, texts: differ.slice(0, 5) }] : [];
  });
}

it("compares every pattern on texts that match and on texts that do not", () => {
  expect(cases.length).toBeGreaterThan(15);
  const oneSided = cases.filter((_, index) => new Set(expected[index]).size < 2);
  expect(oneSided.map(([pattern]) => pattern)).toEqual([]);
});

it.each(["ECMAScript without u", "RE2"] as const)("%s matches every pattern as ECMAScript does", (name) => {
  const verdicts = cases.map(([pattern, texts]) => texts.map(engines[name](pattern)));
  expect(differences(verdicts)).toEqual([]);
});

it("Python matches every pattern as ECMAScript does", (context) => {
  const verdicts = checkInPython(cases);
  if (!verdicts) return context.skip("not run: no python3 on this machine");
  expect(differences(verdicts)).toEqual([]);
});

it("detects differences between the engines", (context) => {
  expect(() => engines.RE2("^(?=a)")).toThrow();
  expect(engines["ECMAScript without u"]("^.$")("\u{1f600}")).toBe(false);
  expect(engines.RE2("^.$")("\u{1f600}")).toBe(true);
  const verdicts = checkInPython([["^\\d$", ["٣"]]]);
  if (!verdicts) return context.skip("not run: no python3 on this machine");
  expect(verdicts).toEqual([[true]]);
});
