import { Readable, Writable } from "node:stream";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { withCommandContext } from "../../src/cli/command-context.ts";
import { createProgressLine } from "../../src/cli/progress-line.ts";
import { lineWidth } from "../../src/cli/report.ts";
import { runCommand } from "../support/command-line.ts";

/** What the command line does before it reads its environment, and with a terminal. */

it("prints the version that the package declares", async () => {
  expect(await runCommand(["--version"], {})).toEqual({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  });
});

it("prints its usage", async () => {
  const { code, stdout, stderr } = await runCommand(["--help"], {});
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Usage: [\s\S]*--version[\s\S]*--help/);
});

it.each([["--frobnicate"], ["frobnicate"]])("refuses %s as wrong usage", async (argument) => {
  const { code, stdout, stderr } = await runCommand([argument], {});
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^error: .*\n.*--help explains the usage/);
});

it("reports what is wrong with its environment as a failure", async () => {
  const { code, stderr } = await runCommand(["records", "list"], { DATABASE_URL: "mysql://a@b/c" });
  expect([code, stderr]).toEqual([1, expect.stringContaining("DATABASE_URL")]);
});

/** The width of lines, and what is written of the progress, with these outputs. */
async function seen(terminal: { columns?: number; isTTY?: boolean }) {
  const written: string[] = [];
  const output = new Writable({ write: (chunk, _encoding, done) => done(void written.push(String(chunk))) });
  const stream = Object.assign(output, terminal);
  const width = await withCommandContext(
    { env: {}, stdin: Readable.from([]), stdout: stream, stderr: stream },
    async () => {
      const { update, clear } = createProgressLine<number>((lines) => `${lines} lines`);
      update(1);
      clear();
      return lineWidth();
    },
  );
  return { width, written };
}

it("cuts lines and shows the progress on a terminal, but not in a file", async () => {
  expect(await seen({ columns: 40, isTTY: true })).toEqual({
    width: 40,
    written: ["\r\u001b[K1 lines …", "\r\u001b[K"],
  });
  expect(await seen({})).toEqual({ width: Number.POSITIVE_INFINITY, written: [] });
});
