import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a fake clamd that parses INSTREAM sessions and sends the response of the test. */
export async function startFakeClamd(
  respond: (file: Buffer, socket: Socket) => string | undefined,
  path?: string,
) {
  const files: Buffer[] = [];
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const file = fileOf(received);
      if (!file) return;
      files.push(file);
      const line = respond(file, socket);
      if (line !== undefined) socket.end(line);
    });
  });
  await new Promise<void>((resolve) =>
    path ? server.listen(path, resolve) : server.listen(0, "127.0.0.1", resolve),
  );
  onTestFinished(() => void server.close());
  return { files, url: path ? `unix:${path}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The file of a session; undefined until the empty chunk has arrived. */
function fileOf(session: Buffer): Buffer | undefined {
  const command = "zINSTREAM\0";
  if (session.length < command.length) return undefined;
  if (session.toString("latin1", 0, command.length) !== command) throw new Error("Not INSTREAM.");
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= session.length; ) {
    const length = session.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(session.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
