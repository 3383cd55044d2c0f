import { styleText } from "node:util";
import { isRecord } from "@cardbridge/domain";
import { pino } from "pino";

const styles = { debug: "gray", info: "green", warn: "yellow", error: "red" } as const;

/** Formats a JSON log line for a terminal. Other lines stay unchanged. */
export function readableLine(line: string): string {
  const fields = parse(line);
  if (!fields) return line;
  const { time, level, msg, method, route, status, ms, requestId, platformId, ...more } = fields;
  const name = pino.levels.labels[Number(level)] ?? plain(level);
  const style = name in styles ? styles[name as keyof typeof styles] : "red";
  const what = method === undefined ? [msg, status] : [method, route, status, `${ms} ms`];
  // Only failed requests show their id, to keep the lines short.
  const ids = method === undefined ? { platformId, requestId } : Number(status) < 400 ? {} : { requestId };
  const words = [
    styleText("gray", clock(time)),
    styleText(style, name.padEnd(5)),
    ...what.filter((word) => word !== undefined).map(plain),
    ...Object.entries({ ...more, ...ids })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => styleText("gray", `${key}=${plain(value)}`)),
  ];
  return `${words.join(" ")}\n`;
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const fields: unknown = JSON.parse(line);
    return isRecord(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The local time of day, without the date. */
function clock(time: unknown): string {
  return (time === undefined ? new Date() : new Date(String(time))).toTimeString().slice(0, 8);
}

/** Removes control characters, which could control the terminal. */
function plain(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}+/gu, " ");
}
