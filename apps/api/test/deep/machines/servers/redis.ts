import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { until } from "../../../support/until.ts";
import { unusedPort } from "../../../support/unused-port.ts";
import { makeServerFolder, startProgram } from "./account.ts";

/** Starts a Redis that stores nothing on disk. */
export async function startRedis() {
  const folder = await makeServerFolder();
  const port = await unusedPort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  let current = startProgram("redis-server", args);
  onTestFinished(() => current.kill());
  await until(isListening);

  async function isListening(): Promise<boolean> {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => current.kill(),
    async start(): Promise<void> {
      current = startProgram("redis-server", args);
      await until(isListening);
    },
    freeze: () => current.child.kill("SIGSTOP"),
    thaw: () => current.child.kill("SIGCONT"),
  };
}
