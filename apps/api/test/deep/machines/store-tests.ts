import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { TestServer } from "@cardbridge/service/database/testing";

const store = fileURLToPath(new URL("../../../../../packages/service", import.meta.url));

/** Tests of one session of the server, which a pooler of transactions shares among its clients. */
const ofSessions = [
  "when the server is read-only, and the next call has a new connection",
  "when the server has no free connection",
  "is the server's code when it ends the connection",
  "a role without time limits is reported",
  "a limit that the operator has set stays",
];

/** Runs the tests of the first tier of the store on a server. */
export async function storeTests(server: TestServer): Promise<{ note: string; violations: string[] }> {
  const others = `^(?!.*(${ofSessions.join("|")}))`;
  const child = spawn("vitest", ["run", "--reporter=tap-flat", "--testNamePattern", others], {
    cwd: store,
    env: { ...process.env, CARDBRIDGE_TEST_SERVER: JSON.stringify(server) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  const linesOf = (pattern: RegExp) => output.match(pattern) ?? [];
  const failed = linesOf(/^not ok .*$/gm).map((line) => `A test of the store failed: ${line}`);
  if (code !== 0 && failed.length === 0) failed.push(`The store's tests ended with ${code}: ${errors}`);
  return {
    note: `${linesOf(/^ok (?!.*# SKIP).*$/gm).length} tests, without ${ofSessions.length} of single sessions`,
    violations: failed,
  };
}
