import { Readable, Writable } from "node:stream";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listOperations } from "@cardbridge/service";
import { expect, it } from "vitest";
import manifest from "../../../../package.json" with { type: "json" };
import { runCommandLine } from "../../src/cli/command-line.ts";
import { showProgress } from "../../src/cli/context.ts";
import { runCommand } from "../support/command-line.ts";

/** The command line before it reads its environment, and its output to a terminal. */

it("prints the version of the project", async () => {
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

it("explains a command by its operation: arguments, options, choices, defaults and an example", async () => {
  const { stdout } = await runCommand(["webhooks", "deliveries", "--help"], {});
  const words = stdout.replace(/\s+/g, " ");
  for (const part of [
    "Usage: cardbridge webhooks deliveries [options] <endpointId>",
    "Lists the deliveries of the last 30 days",
    "--platform <id> The platform's id, such as plt_…",
    "(required)",
    'Lists only deliveries with this status. (choices: "pending", "delivered", "failed")',
    "--page-size <number> Number of items per page. (default: 20)",
    "--json print one JSON document",
    "Example: cardbridge webhooks deliveries whe_01jexample0000000000000000 --platform plt_… --status delivered",
  ])
    expect(words).toContain(part);
});

it("has a command with help and an example for each operator operation", async () => {
  const operations = listOperations(createOperations(defaultPolicies));
  const ids = operations.filter(({ actors }) => actors.includes("operator")).map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(20);
  for (const id of ids) {
    const words = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split(".");
    const { code, stdout } = await runCommand([...words, "--help"], {});
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: cardbridge ${words.join(" ")}`)]);
    expect(stdout).toMatch(new RegExp(`\nExample:\n  cardbridge ${words.join(" ")}`));
    expect(stdout).not.toMatch(/undefined|\[object/);
  }
});

it.each([
  [["users", "show", "--emial=erin@example.com", "--platform", "plt_1"], "unknown option '--emial'"],
  [["users", "show", "--emial=o'erin@example.com", "--platform", "plt_1"], "unknown option '--emial'"],
  [["users", "erin@example.com"], "unknown command '…'"],
  [["users", "show", "--platform", "plt_1", "usr_1", "erin@example.com"], "Expected 1 argument but got 2."],
])("prints no personal data from wrong arguments: %j", async (args, message) => {
  const { code, stderr } = await runCommand(args, {});
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).not.toContain("erin");
});

/** Returns the chunks that `work` writes to a stream. */
async function written(work: (stream: Writable) => unknown, terminal: object) {
  const chunks: string[] = [];
  const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
    chunks.push(String(chunk));
    done();
  };
  await work(Object.assign(new Writable({ write }), terminal));
  return chunks;
}

it("wraps the help to the terminal's width, and shows progress only on a terminal", async () => {
  const help = (stream: Writable) =>
    runCommandLine(["--help"], { env: {}, stdin: Readable.from([]), stdout: stream, stderr: stream });
  const [narrow = ""] = await written(help, { columns: 60 });
  expect(Math.max(...narrow.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(60);

  const progress = (stream: Writable) => showProgress({ stderr: stream }, "1 lines …");
  expect(await written(progress, { isTTY: true })).toEqual(["\r\u001b[K1 lines …"]);
  expect(await written(progress, {})).toEqual([]);
});
