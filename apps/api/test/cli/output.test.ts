import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Commands whose output cannot be written, or is not read. */
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Runs the command's help behind a shell's redirection; the exit code is the command's own. */
async function help(redirection: string) {
  const child = spawn(
    "bash",
    ["-c", `set -o pipefail; "$0" "$1" --help ${redirection}`, process.execPath, cli],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, stderr };
}

it("a reader that stops early is no failure", async () => {
  expect(await help("| true")).toEqual({ code: 0, stderr: "" });
});

it("output that cannot be written is a failure with a message", async () => {
  // Linux has a device that is always full; elsewhere a descriptor for reading does as well.
  const full = existsSync("/dev/full") ? ">/dev/full" : "1</dev/null";
  const { code, stderr } = await help(full);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Standard output cannot be written \(E\w+\)\.\n$/),
  ]);
});

it("a standard error that is gone changes nothing", async () => {
  const reading = openSync("/dev/null", "r");
  const child = spawn(process.execPath, [cli, "frobnicate"], { stdio: ["ignore", "ignore", reading] });
  closeSync(reading);
  expect(await once(child, "exit")).toEqual([2, null]);
});
