import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject, onTestFinished } from "vitest";
import { createTempFolder } from "./folder.ts";

interface TracedProcess {
  pid: number;
  ended: boolean;
}

interface TracedOptions {
  /** If true, a thread of each process blocks in a native call forever: it opens a pipe without a writer. */
  nativeCall?: boolean;
}

/** A decoder program whose processes connect to this process. The connection closes when the process ends. */
export async function createTracedDecoder({
  nativeCall = false,
}: TracedOptions = {}): Promise<{ program: URL; processes: TracedProcess[] }> {
  const processes: TracedProcess[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const [pid] = await once(socket, "data");
    const traced = { pid: Number(pid), ended: false };
    processes.push(traced);
    socket.on("close", () => {
      traced.ended = true;
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const { pid, ended } of processes) if (!ended) process.kill(pid, "SIGKILL");
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const folder = await createTempFolder();
  const file = join(folder, "traced.mjs");
  const pipe = join(folder, "pipe");
  if (nativeCall) execFileSync("mkfifo", [pipe]);
  await writeFile(
    file,
    `import { once } from "node:events";
import { open } from "node:fs";
import { connect } from "node:net";
if (${nativeCall}) open(${JSON.stringify(pipe)}, () => {});
const socket = connect(${port}, "127.0.0.1");
socket.on("error", () => {});
await once(socket, "connect");
socket.write(String(process.pid));
await import(${JSON.stringify(inject("decoder"))});`,
  );
  return { program: pathToFileURL(file), processes };
}
