import type { Labels, Observation, Observer } from "@cardbridge/domain";
import { Counter, Histogram, type Registry } from "prom-client";
import { type EventMetric, type LabelSet, other } from "./declaration.ts";

/** Counts observed events. A label value that the metric does not declare counts as `other`, so series are bounded. */
export function recordEvents(registry: Registry, metrics: Record<Observation, EventMetric>): Observer {
  const recorders = new Map(
    Object.entries(metrics).map(([event, metric]) => [event, createRecorder(registry, metric)]),
  );
  return { observe: (event, labels = {}, seconds) => recorders.get(event)?.(labels, seconds) };
}

function createRecorder(registry: Registry, { name, help, series, duration }: EventMetric) {
  const labelNames = Object.keys(series[0] ?? {});
  const known = labelNames.map((label) => [label, new Set(series.map((set) => set[label]))] as const);
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const set of series) counter.inc(set, 0);
  const histogram = duration && createHistogram(registry, duration, series);

  return (labels: Labels, seconds?: number): void => {
    const set: Record<string, string> = {};
    for (const [label, values] of known) {
      const value = labels[label as keyof Labels];
      set[label] = value !== undefined && values.has(value) ? value : other;
    }
    counter.inc(set);
    if (seconds !== undefined) histogram?.(set, seconds);
  };
}

function createHistogram(
  registry: Registry,
  { by, ...options }: NonNullable<EventMetric["duration"]>,
  series: readonly LabelSet[],
) {
  const histogram = new Histogram({ ...options, labelNames: [...by], registers: [registry] });
  const pick = (set: LabelSet) => Object.fromEntries(by.map((label) => [label, set[label] ?? other]));
  for (const set of series) histogram.zero(pick(set));
  return (set: LabelSet, seconds: number) => histogram.observe(pick(set), seconds);
}
