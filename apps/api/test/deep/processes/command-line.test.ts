import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../../../../../package.json" with { type: "json" };
import { restList } from "../../support/call.ts";
import { runCli, runToEnd } from "../../support/service-process.ts";
import { startTestService } from "../../support/test-service.ts";
import { endWithTest, runVariables } from "../../support/with-test.ts";

/** The built command line as a process. Other tests call its function to test the commands. */
const cli = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

let world: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  world = await startTestService({ events: false });
});
afterAll(() => world.stop());

/** The service and the migrations parse their arguments before the environment. */
it.each(["main.js", "migrate.js"] as const)(
  "%s prints its version, and refuses wrong usage",
  async (program) => {
    expect(await runToEnd(program, {}, { args: ["--version"] })).toEqual({
      code: 0,
      output: `${manifest.version}\n`,
    });
    const { code, output } = await runToEnd(program, {}, { args: ["--frobnicate"] });
    expect([code, output]).toEqual([2, expect.stringMatching(/^error: /)]);
  },
);

it("the program ends with 0 after success, 1 after failure and 2 after wrong usage", async () => {
  expect(await runCli(["records", "list"], world.env)).toEqual({
    code: 0,
    stdout: "No records.\n",
    stderr: "",
  });
  expect(await runCli(["records", "get", "kyc_none"], world.env)).toEqual({
    code: 1,
    stdout: "",
    stderr: "There is no KYC record with this id.\n",
  });
  expect(await runCli(["frobnicate"], world.env)).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^error: unknown command 'frobnicate'/),
  });
});

it("an import begins before its standard input ends", async () => {
  const child = spawn(process.execPath, [cli, "users", "import", "--platform", "plt_demo_one", "-"], {
    env: { ...runVariables(), ...world.env },
    detached: true,
  });
  endWithTest(child);
  const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const lines = Array.from({ length: 300 }, (_, user) => `stream-${user},stream-${user}@example.com`);
  child.stdin.write(`memberId,email\n${lines.join("\n")}\n`);
  const isImported = async () => (await restList(world.caller(), { memberId: "stream-0" })).status === 200;
  await expect.poll(isImported).toBe(true);
  child.stdin.end("stream-last,stream-last@example.com\n");
  const [stdout, stderr, [code]] = await printed;
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^301 users were imported/), ""]);
});

/** Runs the command's help behind a shell's redirection; the exit code is the command's own. */
async function help(redirection: string) {
  const script = `set -o pipefail; "$0" "$1" --help ${redirection}`;
  const child = spawn("bash", ["-c", script, process.execPath, cli], {
    env: runVariables(),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  endWithTest(child);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, stderr };
}

it("a reader that stops early causes no failure", async () => {
  expect(await help("| true")).toEqual({ code: 0, stderr: "" });
});

it("output that cannot be written is a failure with a message", async () => {
  // Linux has a device that is always full; elsewhere a read-only descriptor fails as well.
  const full = existsSync("/dev/full") ? ">/dev/full" : "1</dev/null";
  const { code, stderr } = await help(full);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Standard output cannot be written \(E\w+\)\.\n$/),
  ]);
});

it("a standard error that cannot be written does not change the exit code", async () => {
  const reading = openSync("/dev/null", "r");
  const child = spawn(process.execPath, [cli, "frobnicate"], {
    env: runVariables(),
    stdio: ["ignore", "ignore", reading],
    detached: true,
  });
  endWithTest(child);
  closeSync(reading);
  expect(await once(child, "exit")).toEqual([2, null]);
});
