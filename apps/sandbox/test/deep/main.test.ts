import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDataFolder } from "../support/sandbox.ts";

// The tests run after the build.
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

async function start(stdio: "ipc" | "ignore", environment: Record<string, string> = {}) {
  const env = {
    ...process.env,
    SANDBOX_PORT: "",
    SANDBOX_DATA_DIR: await createDataFolder(),
    ...environment,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe", stdio] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function announcementOf(child: ChildProcess): Promise<{ listening: string }> {
  const [message] = await once(child, "message");
  return message;
}

describe("the sandbox process", () => {
  test("with a parent, ignores SIGINT and SIGHUP, and exits on SIGTERM or when its parent disconnects", async () => {
    const child = await start("ipc");
    const { listening } = await announcementOf(child);
    child.kill("SIGINT");
    child.kill("SIGHUP");
    expect((await fetch(`${listening}/_scenarios`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    const other = await start("ipc");
    await announcementOf(other);
    other.disconnect();
    expect(await once(other, "exit")).toEqual([0, null]);
  });

  test("without a parent, prints its URL and exits on SIGINT", async () => {
    const child = await start("ignore");
    const [line] = await once(child.stdout ?? child, "data");
    const { listening } = JSON.parse(String(line));
    expect((await fetch(`${listening}/_ledger`)).status).toBe(200);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test.each([
    ["--version", 0, "stdout", /^\d+\.\d+\.\d+(-dev)?\n$/],
    ["--help", 0, "stdout", /^Usage: /],
    ["--frobnicate", 2, "stderr", /^Unknown option '--frobnicate'/],
  ] as const)("with %s, exits with code %i", async (argument, code, stream, text) => {
    const child = spawn(process.execPath, [main, argument], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child[stream].on("data", (chunk) => {
      output += chunk;
    });
    expect(await once(child, "close")).toEqual([code, null]);
    expect(output).toMatch(text);
  });

  test("logs the invalid variable and exits with code 1", async () => {
    const child = await start("ignore", { SANDBOX_PORT: "many" });
    const [[code], [line]] = await Promise.all([once(child, "exit"), once(child.stderr ?? child, "data")]);
    expect(code).toBe(1);
    expect(JSON.parse(String(line))).toMatchObject({ message: expect.stringContaining("SANDBOX_PORT") });
  });
});
