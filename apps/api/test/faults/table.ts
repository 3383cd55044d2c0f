import type { Played } from "./play.ts";

/** What many plays of one fault came to. */
interface Line {
  name: string;
  title: string;
  plays: Played[];
}

const median = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;
const seconds = (millis: number) => (millis / 1_000).toFixed(1);
const count = (plays: Played[], sentence: RegExp) =>
  plays.flatMap(({ broken }) => broken).filter((words) => sentence.test(words)).length;
const sum = (plays: Played[], what: "submissions" | "acknowledged") =>
  plays.reduce((total, played) => total + played[what], 0);

/** The table of a run, in Markdown: a line per fault, and all of them together. */
export function toTable(lines: Line[]): string {
  const all = { name: "all", title: "", plays: lines.flatMap(({ plays }) => plays) };
  const head = [
    "| # | Fault | Submissions | Acknowledged | Lost | Duplicated | Settled after, median and longest |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  return [...head, ...[...lines, all].map(toLine)].join("\n");
}

function toLine({ name, title, plays }: Line): string {
  const settled = plays.flatMap(({ settleMs }) => settleMs).sort((a, b) => a - b);
  const cells = [
    name,
    title,
    sum(plays, "submissions"),
    sum(plays, "acknowledged"),
    count(plays, /^I[13]/),
    count(plays, /^I[24]/),
    `${seconds(median(settled))} s, ${seconds(settled.at(-1) ?? 0)} s`,
  ];
  return `| ${cells.join(" | ")} |`;
}
