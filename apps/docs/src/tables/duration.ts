/** A duration in words, in its largest unit: "5 minutes". */
export function durationOf(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 60) return inUnits(seconds, "second");
  return seconds < 3_600
    ? inUnits(Math.round(seconds / 60), "minute")
    : inUnits(Math.round(seconds / 3_600), "hour");
}

const inUnits = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
