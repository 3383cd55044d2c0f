import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { testCertificate, testKey } from "../../packages/egress/test/support/certificate.ts";
import { moveToProxyCore } from "./cores.mjs";
import { connection, exchange } from "./load.mjs";
import { at } from "./process.mjs";

/** The path of HAProxy; empty if this machine does not have it. */
const program = spawnSync("sh", ["-c", "PATH=$PATH:/usr/sbin command -v haproxy"], {
  encoding: "utf8",
}).stdout.trim();

/** Below the ports that the kernel gives to connections. */
const port = 20_000 + (process.pid % 10_000);

/**
 * Starts HAProxy with the shipped file in front of a service. Its rate of a key is above every capacity. Undefined if this
 * machine does not have it.
 */
export async function startHaproxy(service) {
  if (program === "") return undefined;
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-bench-haproxy-"));
  const certificate = join(folder, "cards.pem");
  writeFileSync(certificate, `${testCertificate}\n${testKey}\n`);
  const child = spawn(program, ["-db", "-f", at("../ops/haproxy/haproxy.cfg")], {
    env: {
      ENVIRONMENT: "test",
      API_1: new URL(service.url).host,
      API_BIND: `127.0.0.1:${port}`,
      API_CERTIFICATE: certificate,
      KEY_CALLS: "10000000",
      ADMIN_SOCKET: join(folder, "admin"),
      // Nobody listens: a line costs what it costs with a log.
      LOG_TO: "127.0.0.1:9",
      RUN_AS: userInfo().username,
    },
    stdio: "ignore",
  });
  const kill = () => child.kill("SIGKILL");
  process.prependOnceListener("exit", kill);
  moveToProxyCore({ child });
  const url = `https://127.0.0.1:${port}`;
  const client = connection(url);
  while ((await exchange(client, { method: "GET", path: "/health/ready" })).status !== 200) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended (${child.exitCode}).`);
    await wait(100);
  }
  await client.destroy();
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off("exit", kill);
      kill();
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}
