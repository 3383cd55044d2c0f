import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { onTestFinished } from "vitest";
import { testCertificate, testKey } from "../../../../../packages/egress/test/support/certificate.ts";
import { until } from "../../support/until.ts";
import { unusedPort } from "../../support/unused-port.ts";
import { killGroup } from "../../support/with-test.ts";
import { programPath } from "../machines/programs.ts";
import { opsPath } from "./ops-files.ts";

/**
 * Starts the shipped HAProxy in front of processes, and waits until it finds them ready. It ends with the test.
 *
 * @param env settings of the file, such as KEY_CALLS
 */
export async function startHaproxy(processes: readonly { url: string }[], env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "haproxy-"));
  const [port, certificate, admin] = [await unusedPort(), join(folder, "cards.pem"), join(folder, "admin")];
  await writeFile(certificate, `${testCertificate}\n${testKey}\n`);
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), testCertificate]);
  const addresses = processes.map(({ url }, index) => [`API_${index + 1}`, new URL(url).host]);
  const child = spawn(programPath("haproxy"), ["-db", "-f", opsPath("haproxy/haproxy.cfg")], {
    env: {
      ENVIRONMENT: "test",
      API_BIND: `127.0.0.1:${port}`,
      API_CERTIFICATE: certificate,
      API_CONNECTIONS: "1000",
      ADMIN_SOCKET: admin,
      LOG_TO: "stdout",
      RUN_AS: userInfo().username,
      ...Object.fromEntries(addresses),
      ...env,
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  onTestFinished(async () => {
    killGroup(child.pid);
    await rm(folder, { recursive: true });
  });
  const url = `https://127.0.0.1:${port}`;

  /** Sends a command to the socket for operators. Returns the answer. */
  async function command(line: string): Promise<string> {
    const socket = connect(admin);
    await once(socket, "connect");
    socket.end(`${line}\n`);
    return text(socket);
  }

  await until(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${output}`);
    const isUp = (servers: string) => servers.match(/ api \d+ api\d 127\S+ 2 /g)?.length === processes.length;
    return command("show servers state api").then(isUp, () => false);
  });
  return { url, port, output: () => output, command };
}
