import { version } from "../process/version.ts";
import { type EventMetric, everyCombination, one, type ReadMetric } from "./declaration.ts";

/** What a process needs to serve. `undefined`: not known, because another one is not ready. */
export interface Dependencies {
  database: boolean;
  /** Whether the process has the keys of the database's personal data. */
  encryptionKeys: boolean | undefined;
}

interface ProcessState {
  dependencies(): Promise<Dependencies>;
  /** The number of dropped log lines. */
  droppedLines(): number;
  /** The number of dropped spans; absent in a process that does not trace. */
  droppedSpans?: (() => number) | undefined;
}

export const processMetrics = {
  rate_limit_not_shared: {
    name: "cardbridge_rate_limit_not_shared_total",
    help: "How often Redis did not answer for a platform's rate. The process keeps to the rate by itself meanwhile.",
    series: one,
  },
} satisfies Record<string, EventMetric>;

/** The state of this process. */
export function processState({
  dependencies,
  droppedLines,
  droppedSpans = () => 0,
}: ProcessState): ReadMetric[] {
  return [
    {
      type: "gauge",
      name: "cardbridge_build_info",
      help: "1, with the version of the service and of Node as labels.",
      series: [{ version, node_version: process.versions.node }],
      read: () => [{ labels: { version, node_version: process.versions.node }, value: 1 }],
    },
    {
      type: "gauge",
      name: "cardbridge_dependency_ready",
      help: "1 if the process can use a dependency, 0 if not, and NaN if that is not known.",
      series: everyCombination({ dependency: ["database", "encryption-keys"] }),
      read: async () => {
        const { database, encryptionKeys } = await dependencies();
        return [
          { labels: { dependency: "database" }, value: Number(database) },
          { labels: { dependency: "encryption-keys" }, value: Number(encryptionKeys) },
        ];
      },
    },
    {
      type: "counter",
      name: "cardbridge_log_lines_dropped_total",
      help: "Log lines that could not be written to standard error.",
      series: one,
      read: () => [{ value: droppedLines() }],
    },
    {
      type: "counter",
      name: "cardbridge_trace_spans_dropped_total",
      help: "Ended spans that were not exported: the queue was full, or the OTLP endpoint did not accept them.",
      series: one,
      read: () => [{ value: droppedSpans() }],
    },
  ];
}
