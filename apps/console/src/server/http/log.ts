/** Writes one JSON line for each event. Fields are names, numbers and codes: no query, id, token or personal data. */
export type Log = (
  level: "info" | "warn" | "error",
  message: string,
  fields?: Record<string, string | number>,
) => void;

const levels = { info: 30, warn: 40, error: 50 };

/** The lines have the form of the service's. */
export function createLog(write: (line: string) => void, now: () => number): Log {
  return (level, msg, fields = {}) =>
    write(
      `${JSON.stringify({ level: levels[level], time: new Date(now()).toISOString(), ...fields, msg })}\n`,
    );
}
