/** Formats a duration in milliseconds for people: `45 s`, `3 m`, `2 h 10 m`, `4 d`. Negative ones are `0 s`. */
export function formatDuration(millis: number): string {
  const minutes = Math.floor(millis / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.floor(millis / 1_000))} s`;
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} m`;
}

/** The duration between two moments in RFC 3339. */
export function durationBetween(from: string, to: string): string {
  return formatDuration(Date.parse(to) - Date.parse(from));
}
