import { spawnSync } from "node:child_process";
import { RE2 } from "re2-wasm";

/** Compiles a pattern into a function that reports a full match of a text. Throws for unsupported syntax. */
type Compile = (pattern: string) => (text: string) => boolean;

type EcmaScript = "ECMAScript with u" | "ECMAScript with v" | "ECMAScript without u";

/** Engines in this process. RE2 never frees its memory, so compile a pattern once. */
export const engines: Record<EcmaScript | "RE2", Compile> = {
  "ECMAScript with u": (pattern) => matcherOf(new RegExp(whole(pattern), "u")),
  "ECMAScript with v": (pattern) => matcherOf(new RegExp(whole(pattern), "v")),
  "ECMAScript without u": (pattern) => matcherOf(new RegExp(whole(pattern))),
  RE2: (pattern) => matcherOf(new RE2(whole(pattern), "u")),
};

function matcherOf(expression: { test(text: string): boolean }) {
  return (text: string) => expression.test(text);
}

function whole(pattern: string): string {
  return `^(?:${pattern})$`;
}

const program = `
import json, re, sys
method = getattr(re.Pattern, sys.argv[1])
cases = json.load(sys.stdin)
json.dump([[method(re.compile(pattern), text) is not None for text in texts] for pattern, texts in cases], sys.stdout)
`;

/** Texts by pattern. */
export type Cases = readonly (readonly [pattern: string, texts: readonly string[]])[];

/** Python's results for every text, in order; undefined if this machine has no Python. */
export function checkInPython(
  cases: Cases,
  method: "fullmatch" | "search" = "fullmatch",
): boolean[][] | undefined {
  const { error, status, stdout, stderr } = spawnSync("python3", ["-c", program, method], {
    input: JSON.stringify(cases),
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  if (error && "code" in error && error.code === "ENOENT") return undefined;
  if (status !== 0) throw new Error(`Python ended with ${status}: ${stderr}`, { cause: error });
  return JSON.parse(stdout);
}
