import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { until } from "../../../support/until.ts";
import { unusedPort } from "../../../support/unused-port.ts";
import { makeServerFolder, startProgram, writeServerFile } from "./account.ts";

export type Address = Awaited<ReturnType<typeof startAddress>>;

interface Target {
  port: number;
}

/** Starts HAProxy as the address of a database: it forwards connections to one server, which can change. */
export async function startAddress(first: Target) {
  const folder = await makeServerFolder();
  const [port, socket, file] = [await unusedPort(), join(folder, "admin"), join(folder, "haproxy.cfg")];
  await writeServerFile(
    file,
    `global
  stats socket ${socket} level admin
defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  server primary 127.0.0.1:${first.port}
`,
  );
  const server = startProgram("haproxy", ["-db", "-f", file]);
  onTestFinished(server.kill);

  async function command(line: string): Promise<void> {
    const client = connect(socket);
    await once(client, "connect");
    client.end(`${line}\n`);
    await text(client);
  }

  await until(async () => {
    if (server.child.exitCode !== null) throw new Error(`HAProxy did not start: ${server.output()}`);
    return command("show info").then(
      () => true,
      () => false,
    );
  });

  return {
    port,
    /** Forwards new connections to another server. Open connections stay with the former one. */
    moveTo: (target: Target) => command(`set server database/primary addr 127.0.0.1 port ${target.port}`),
  };
}
