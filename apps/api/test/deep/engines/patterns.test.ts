import fc from "fast-check";
import { expect, it } from "vitest";
import { oddCharacters, publishedLengths, textsFor } from "../../support/published-patterns.ts";
import { type Cases, checkInPython, engines } from "./engines.ts";

/*
 * Every published pattern compiles under RE2, Python's re and ECMAScript without a flag, with u and with v, and all engines
 * agree on a full match for every text of Unicode scalar values (gap G21).
 */

/** A fixed sample of texts. */
function sampleFor(pattern: string): string[] {
  const sample = fc.sample(textsFor(pattern), { numRuns: 150, seed: 1 });
  return [...new Set(["", "\n", ...oddCharacters, ...sample])].filter((text) => text.isWellFormed());
}

const lengths = publishedLengths();
const cases: Cases = [...lengths.keys()].map((pattern) => [pattern, sampleFor(pattern)]);
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

it.each(["ECMAScript without u", "ECMAScript with v", "RE2"] as const)(
  "%s matches every pattern as ECMAScript does",
  (name) => {
    const verdicts = cases.map(([pattern, texts]) => texts.map(engines[name](pattern)));
    expect(differences(verdicts)).toEqual([]);
  },
);

it("Python matches every pattern as ECMAScript does", (context) => {
  const verdicts = checkInPython(cases);
  if (!verdicts) return context.skip("not run: no python3 on this machine");
  expect(differences(verdicts)).toEqual([]);
});

/** The texts that a search in Python and the maximum length accept, and a full match does not. */
function acceptedBySearch(verdicts: readonly (readonly boolean[])[]) {
  return cases.map(([pattern, texts], index) => {
    const isAccepted = (text: string, at: number) =>
      verdicts[index]?.[at] && !expected[index]?.[at] && [...text].length <= Number(lengths.get(pattern));
    const matching = texts.filter((_, at) => expected[index]?.[at]).map((text) => [...text].length);
    return { pattern, hasOneLength: new Set(matching).size === 1, texts: texts.filter(isAccepted) };
  });
}

it("a search in Python accepts a final line break, but never in a text of one length", (context) => {
  const verdicts = checkInPython(cases, "search");
  if (!verdicts) return context.skip("not run: no python3 on this machine");
  const accepted = acceptedBySearch(verdicts);
  expect(accepted.flatMap(({ texts }) => texts).filter((text) => !text.endsWith("\n"))).toEqual([]);
  const ofOneLength = accepted.filter(({ hasOneLength }) => hasOneLength);
  expect(ofOneLength.length).toBeGreaterThanOrEqual(6);
  expect(ofOneLength.filter(({ texts }) => texts.length > 0)).toEqual([]);
});

it("detects differences between the engines", (context) => {
  expect(() => engines.RE2("^(?=a)")).toThrow();
  expect(engines["ECMAScript without u"]("^.$")("\u{1f600}")).toBe(false);
  expect(engines.RE2("^.$")("\u{1f600}")).toBe(true);
  const verdicts = checkInPython([["^\\d$", ["٣"]]]);
  if (!verdicts) return context.skip("not run: no python3 on this machine");
  expect(verdicts).toEqual([[true]]);
});
