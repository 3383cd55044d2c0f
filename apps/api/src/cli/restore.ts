import type { RestoreReport } from "@cardbridge/domain";
import type { NounDetails, Report } from "./details.ts";

/** The maximum number of details of one part. More are in the JSON document. */
const maxDetails = 20;

export const restore = {
  check: {
    description:
      "Checks a restored database before the service starts on it, and prints a report to keep. The exit code is 1 if " +
      "there is a problem; the service starts after a check without one, or with --accept.",
    example: "restore check --since 2026-01-31T12:00:00Z",
    requires: ["provider"],
    report: (report) => describe(report),
  },
} satisfies NounDetails<"restore">;

function describe({ since, checkedAt, passed, mayStart, findings }: RestoreReport): Report {
  const head = [`Checked at ${checkedAt}.`, since === null ? "" : `Executions since ${since}.`];
  const parts = findings.map(({ check, result, found, details }) => {
    const more =
      details.length > maxDetails ? [`… and ${details.length - maxDetails} more; --json has all.`] : [];
    const lines = [...details.slice(0, maxDetails), ...more].map((line) => `    ${line}`);
    return [`${result.padEnd(7)}  ${check}: ${found}`, ...lines].join("\n");
  });
  const end = mayStart ? "The service may start." : "The service does not start on this database.";
  const text = [head.filter(Boolean).join(" "), "", ...parts, "", end].join("\n");
  return passed ? { text } : { text, problem: "The check found problems: correct them and run it again." };
}
