import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that the kernel gives to connections, so that a server that restarts finds its port free. */
const [lowest, highest] = [20_000, 32_000];

/** A port of 127.0.0.1 on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const port = lowest + Math.floor(Math.random() * (highest - lowest));
  const server = createServer();
  const outcome = Promise.race([
    once(server, "listening").then(() => true),
    once(server, "error").then(() => false),
  ]);
  server.listen(port, "127.0.0.1");
  const isFree = await outcome;
  if (!isFree) return unusedPort();
  server.close();
  await once(server, "close");
  return port;
}
