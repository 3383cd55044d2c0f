import type { Result } from "./run-episodes.ts";

/** The results of many runs of one fault. */
interface Line {
  name: string;
  title: string;
  results: Result[];
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const count = (results: Result[], invariant: RegExp) =>
  results.flatMap(({ violations }) => violations).filter((sentence) => invariant.test(sentence)).length;
const sum = (results: Result[], what: "submissions" | "acknowledged") =>
  results.reduce((total, result) => total + result[what], 0);

/** The table of a long run, in Markdown: a line for each fault, and one for all of them. */
export function toTable(lines: Line[]): string {
  const all = { name: "all", title: "", results: lines.flatMap(({ results }) => results) };
  const head = [
    "| # | Fault | Submissions | Acknowledged | Lost | Duplicated | Resolved after at most |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  return [...head, ...[...lines, all].map(toLine)].join("\n");
}

function toLine({ name, title, results }: Line): string {
  const longest = results.flatMap(({ resolveMs }) => resolveMs).reduce((most, ms) => Math.max(most, ms), 0);
  const cells = [
    name,
    title,
    sum(results, "submissions"),
    sum(results, "acknowledged"),
    count(results, /^I[13]/),
    count(results, /^I[24]/),
    `${seconds(longest)} s`,
  ];
  return `| ${cells.join(" | ")} |`;
}
