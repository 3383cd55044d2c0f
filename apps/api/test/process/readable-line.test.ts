import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { readableLine } from "../../src/process/readable-line.ts";
import { createLog } from "../../src/telemetry/log.ts";

const shown = (line: string) => stripVTControlCharacters(readableLine(line));

it("a line of a message shows the time, the level and the text", () => {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).warn("no metrics");
  expect(lines.map(shown)).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}no metrics\n$/)]);
});

it.each([
  [{ status: 200 }, "GET /files/:fileId 200 1.5 ms"],
  [
    { status: 503, code: "SERVICE_UNAVAILABLE", reason: "deadline" },
    "GET /files/:fileId 503 1.5 ms code=SERVICE_UNAVAILABLE reason=deadline requestId=req_1",
  ],
])("a line of a request shows the id only for a failure: %j", (outcome, text) => {
  const request = { method: "GET", route: "/files/:fileId", ms: 1.5, requestId: "req_1", platformId: "p" };
  const line = JSON.stringify({
    level: 30,
    time: "2026-01-31T12:00:00Z",
    msg: "request",
    ...request,
    ...outcome,
  });
  expect(shown(line)).toMatch(new RegExp(`^\\S+ info {2}${text}\n$`));
});

it("a line of the sandbox shows all fields on one line, without control characters", () => {
  const line = JSON.stringify({ level: "error", message: "cannot\n\u001b[2J be sent" });
  const text = readableLine(`${line}\n`);
  expect(stripVTControlCharacters(text)).toMatch(/ error message=cannot \[2J be sent\n$/);
  expect(text).not.toContain("\u001b[2J");
});

it("leaves other text unchanged", () => {
  for (const line of ["(node:1) Warning: plain\n", "17\n", "null\n"]) expect(readableLine(line)).toBe(line);
});
