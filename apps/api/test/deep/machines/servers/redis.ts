import { once } from "node:events";
import { connect } from "node:net";
import { until } from "../../../support/until.ts";
import { makeServerFolder, type ServerProcess, startProgram } from "./account.ts";
import { unusedPort } from "./port.ts";

/** Starts a Redis that stores nothing on disk. */
export async function startRedis() {
  const { folder, remove } = await makeServerFolder();
  const port = await unusedPort();
  let current: ServerProcess | undefined;

  async function start(): Promise<void> {
    current = startProgram("redis-server", [
      ...["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    ]);
    await until(isListening);
  }

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

  async function kill(): Promise<void> {
    current?.child.kill("SIGKILL");
    await current?.ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => current?.child.kill("SIGSTOP"),
    thaw: () => current?.child.kill("SIGCONT"),
    async close(): Promise<void> {
      await kill();
      await remove();
    },
  };
}
