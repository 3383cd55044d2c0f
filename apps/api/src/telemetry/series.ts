import type { Labels } from "@cardbridge/domain";

/** The label value that replaces every value that a metric does not list. */
export const other = "other";

/** Values by label. Each combination of them is a series. */
export type LabelValues = Readonly<Record<string, readonly string[]>>;

export type LabelSet = Readonly<Record<string, string>>;

/** The series of a metric: all that exist from the start, and the one that an event belongs to. */
export interface Series {
  labelNames: string[];
  all: readonly LabelSet[];
  /** Drops labels that the metric does not have. Values that it does not list become `other`, so series are bounded. */
  of(labels: Labels): LabelSet;
}

/** Declares the series of a metric: the combinations of each of these values. All have the same labels. */
export function declareSeries(...values: readonly LabelValues[]): Series {
  const labelNames = Object.keys(values[0] ?? {});
  const known = labelNames.map(
    (name) => [name, new Set(values.flatMap((each) => each[name] ?? []))] as const,
  );
  return {
    labelNames,
    all: values.flatMap(everyCombination),
    of(labels) {
      const set: Record<string, string> = {};
      for (const [name, listed] of known) {
        const value = labels[name as keyof Labels];
        set[name] = value !== undefined && listed.has(value) ? value : other;
      }
      return set;
    },
  };
}

/** A series for each combination of these values. */
export function everyCombination(values: LabelValues): LabelSet[] {
  return Object.entries(values).reduce<LabelSet[]>(
    (sets, [name, list]) => sets.flatMap((set) => list.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}
