import { once } from "node:events";
import { WebSocket } from "undici";

/** Has a process open its inspector, by which its garbage is collected; costs nothing while nobody speaks to it. */
export const inspected = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/** Megabytes of what a process still refers to: its heap after a collection. */
export async function liveHeapOf({ output }) {
  const [url] = /ws:\/\/\S+/.exec(output());
  const socket = new WebSocket(url);
  await once(socket, "open");
  const ask = async (id, method) => {
    socket.send(JSON.stringify({ id, method }));
    const [{ data }] = await once(socket, "message");
    return JSON.parse(data).result;
  };
  await ask(1, "HeapProfiler.collectGarbage");
  const { usedSize } = await ask(2, "Runtime.getHeapUsage");
  socket.close();
  return usedSize / 2 ** 20;
}
