/** The values of a metric's labels. */
export type LabelSet = Readonly<Record<string, string>>;

interface Declaration {
  /** With its unit, and `_total` for a counter. */
  name: string;
  /** A sentence. */
  help: string;
  /** The series that exist from the start, at zero. All have the same labels. */
  series: readonly LabelSet[];
}

/** A counter of an observed event, with a histogram if the event takes time. */
export interface EventMetric extends Declaration {
  duration?: {
    name: string;
    help: string;
    /** The labels of the histogram, which has a series for each bucket. */
    by: readonly string[];
    /** In seconds. */
    buckets: number[];
  };
}

export interface Sample {
  labels?: LabelSet;
  value: number;
}

/** A metric whose values each scrape reads. */
export interface ReadMetric extends Declaration {
  type: "gauge" | "counter";
  /** Returns what is not zero; undefined, or an error, if the values are not known. */
  read(): readonly Sample[] | undefined | Promise<readonly Sample[] | undefined>;
}

/** The value of a label that no declaration lists. */
export const other = "other";

/** The only series of a metric without labels. */
export const one: readonly LabelSet[] = [{}];

/** A series for each combination of these values. */
export function everyCombination(values: Readonly<Record<string, readonly string[]>>): LabelSet[] {
  return Object.entries(values).reduce<LabelSet[]>(
    (sets, [name, list]) => sets.flatMap((set) => list.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
}
