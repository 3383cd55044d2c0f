/** Writes one JSON line for each event. Fields are names, numbers and codes: no query, id, token or personal data. */
export type Log = (level: "info" | "warn" | "error", event: string, fields?: Record<string, string | number>) => void;

const levels = { info: 30, warn: 40, error: 50 };

export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, event, fields = {}) =>
    write(`${JSON.stringify({ level: levels[level], time: now(), event, ...fields })}\n`);
}
