import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findEmbedded } from "@cardbridge/postgres";
import { exampleSubmission } from "@cardbridge/service";
import { Client } from "pg";
import { expect, vi } from "vitest";
import { unusedPort } from "../../../api/test/support/unused-port.ts";
import { readEnv } from "../../src/server/config/env.ts";
import { runConsole } from "../../src/server/run.ts";
import { killGroup, start } from "./start-program.ts";

const serviceProgram = fileURLToPath(new URL("../../../api/dist/main.js", import.meta.url));
const builtPages = fileURLToPath(new URL("../../dist/web/", import.meta.url));
/** The public keys of the embedded default: of the first demo platform, and of the console. */
const platformKey = "cb_test_DemoPlatformOne0000000003IZXaY";
const consoleKey = "cb_int_test_DemoConsole00000000000003udeuu";

/** The public secret with which the sandbox signs its events. */
const eventsSecret = Buffer.from("sandbox-events-for-development");

/** The built service on the embedded default, with its database and its sandbox, and the console beside it. */
export async function startStack(webFolder = builtPages) {
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-stack-"));
  const [servicePort, consolePort] = [await unusedPort(), await unusedPort()];
  const serviceUrl = `http://127.0.0.1:${servicePort}`;
  const url = `http://127.0.0.1:${consolePort}`;
  const outputs: string[] = [];

  const startService = (env: Record<string, string> = {}) =>
    start(serviceProgram, /cardbridge is ready[\s\S]*Demo key/, outputs, {
      DATA_DIR: folder,
      PORT: String(servicePort),
      METRICS_PORT: "0",
      PERSONS_ISSUER: `${url}/development-issuer`,
      PERSONS_AUDIENCE: "urn:cardbridge:development",
      PERSONS_ROLES: "roles",
      ...env,
    });

  let running = await startService();
  const settings = {
    CONSOLE_PORT: String(consolePort),
    CONSOLE_METRICS_PORT: "0",
    CARDBRIDGE_URL: serviceUrl,
    CARDBRIDGE_KEY: consoleKey,
    SHUTDOWN_GRACE_MS: "0",
  };
  const served = await runConsole(readEnv(settings), {
    webFolder,
    writeLog: (line) => void outputs.push(line),
  });

  /** Calls the service as the first demo platform. */
  async function asPlatform<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${platformKey}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${serviceUrl}/openapi/v1${path}`, { ...init, headers });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`The service answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer;
  }
  const post = <Answer>(path: string, body: object) =>
    asPlatform<Answer>(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  return {
    url,
    folder,
    /** Everything that the service and the console wrote. */
    output: () => outputs.join(""),
    asPlatform,
    post,
    /** Submits a user's KYC. The tag in the e-mail selects the sandbox's scenario. */
    submit: (memberId: string, email: string, files: object = {}): Promise<Submitted> =>
      post("/users/kyc", { ...exampleSubmission.input, ...files, memberId, email }),
    /** Uploads a file of the first demo platform. Returns its URL. */
    async upload(purpose: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
      const form = new FormData();
      form.set("purpose", purpose);
      form.set("file", new Blob([bytes]), "picture");
      return (await asPlatform<{ url: string }>("/files", { method: "POST", body: form })).url;
    },
    /** Reports the provider's verdict about a record with its signed event. */
    async verdict(kycRecordId: string, status: string): Promise<void> {
      const { externalUserId } = await asPlatform<Submitted>(`/users/kyc/${kycRecordId}`);
      const data = { reference: kycRecordId, userReference: externalUserId, status, cardAccountId: null };
      const updatedAt = new Date().toISOString();
      const body = JSON.stringify({ type: "kyc.updated", data: { ...data, revision: 1_000, updatedAt } });
      const [id, timestamp] = [`msg_${kycRecordId}`, String(Math.floor(Date.now() / 1_000))];
      const signature = createHmac("sha256", eventsSecret)
        .update(`${id}.${timestamp}.${body}`)
        .digest("base64");
      const response = await fetch(`${serviceUrl}/provider/events`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${signature}`,
        },
        body,
      });
      expect(response.ok).toBe(true);
    },
    /** Makes a record need attention, as a worker does after HOLD_AFTER_SECONDS. */
    async needAttention(kycRecordId: string): Promise<void> {
      const client = new Client((await findEmbedded(join(folder, "postgres"))) ?? undefined);
      await client.connect();
      try {
        // Not while an attempt runs, which would end with a new due time.
        const isMarked = async () => {
          await client.query("begin; set local cardbridge.platform = 'plt_demo_one'");
          const { rowCount } = await client.query(
            `update kyc_records set due_at = null, needs_attention_since = clock_timestamp()
             where id = $1 and coalesce(lease_until < clock_timestamp(), true)`,
            [kycRecordId],
          );
          await client.query("commit");
          return rowCount === 1;
        };
        await vi.waitUntil(isMarked, { timeout: 60_000, interval: 20 });
      } finally {
        await client.end();
      }
    },
    async killService() {
      running.kill("SIGKILL");
      await new Promise((resolve) => running.once("close", resolve));
    },
    async restartService(env?: Record<string, string>) {
      running = await startService(env);
    },
    async close() {
      await served.close();
      killGroup(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** What a platform gets for a submission. */
export interface Submitted {
  kycRecordId: string;
  externalUserId: string;
}
