import type { Drill, Outcome } from "./drill.ts";

export interface Line {
  drill: Pick<Drill, "title">;
  /** The reason if the drill did not run. */
  outcome: Outcome | string;
}

const head = [
  "| Drill | Calls | First answers | All answers | Seconds of failure | p99, longest | Lost | Doubled | Executed twice |",
  "|---|--:|---|---|--:|--:|--:|--:|--:|",
];

/** The table of a run, in Markdown. */
export function toTable(lines: readonly Line[]): string {
  return [...head, ...lines.map(toRow)].join("\n");
}

function toRow({ drill, outcome }: Line): string {
  return `| ${cells(drill.title, outcome).join(" | ")} |`;
}

function cells(title: string, outcome: Outcome | string): (string | number)[] {
  if (typeof outcome === "string") return [`${title}: ${outcome}`, ...Array(8).fill("")];
  const { seen, note, violations } = outcome;
  const count = (invariant: RegExp) => violations.filter((sentence) => invariant.test(sentence)).length;
  return [
    note === undefined ? title : `${title} (${note})`,
    ...(seen
      ? [
          seen.calls,
          list(seen.first),
          list(seen.outcomes),
          seen.failedSeconds.toFixed(1),
          `${seconds(seen.p99Ms)}, ${seconds(seen.longestMs)}`,
        ]
      : Array(5).fill("")),
    count(/^I[13]/),
    count(/^I4|^I2: \S+ has \d+ records/),
    count(/^I2: (?!\S+ has \d+ records)/),
  ];
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const list = (counts: Map<string, number>) =>
  [...counts].map(([outcome, count]) => `${outcome}: ${count}`).join(", ");
