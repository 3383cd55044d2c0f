import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../../../../../package.json" with { type: "json" };

/** The arguments of the service and the migrations, which are parsed before the environment. */
async function run(program: string, args: string[]) {
  const path = fileURLToPath(new URL(`../../../dist/${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { env: {}, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

describe.each(["main.js", "migrate.js"])("%s", (program) => {
  it("prints the version that the package declares", async () => {
    expect(await run(program, ["--version"])).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: "",
    });
  });

  it("prints its usage", async () => {
    const { code, stdout, stderr } = await run(program, ["--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: [\s\S]*--version[\s\S]*--help/);
  });

  it.each([["--frobnicate"], ["frobnicate"]])("refuses %s as invalid usage", async (argument) => {
    const { code, stdout, stderr } = await run(program, [argument]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: /);
  });
});
