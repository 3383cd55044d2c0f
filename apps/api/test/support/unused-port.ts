import { createServer } from "node:net";

/** Below the ports that the kernel gives to connections, so that a server that restarts finds its port free. */
const [lowest, highest] = [20_000, 32_000];

/** A port of 127.0.0.1 on which nothing listens, for a program whose port has to be known before it starts. */
export async function unusedPort(): Promise<number> {
  const port = lowest + Math.floor(Math.random() * (highest - lowest));
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
  return isFree ? port : unusedPort();
}
