import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exampleSubmission } from "@cardbridge/operations";
import { findEmbedded } from "@cardbridge/postgres";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { unusedPort } from "../../../api/test/support/unused-port.ts";
import { consoleProgram, start } from "./start-program.ts";

const service = fileURLToPath(new URL("../../../api/dist/main.js", import.meta.url));
/** The public keys of the embedded default: of the first demo platform, and of the console. */
const platformKey = "cb_test_DemoPlatformOne0000000003IZXaY";
const consoleKey = "cb_int_test_DemoConsole00000000000003udeuu";

/** The public secret with which the sandbox signs its events. */
const eventsSecret = Buffer.from("sandbox-events-for-development");

/** The built service on the embedded default, with its database, its sandbox and the built console. */
export async function startStack(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-story-"));
  const [servicePort, consolePort] = [await unusedPort(), await unusedPort()];
  const serviceUrl = `http://127.0.0.1:${servicePort}`;
  const url = `http://127.0.0.1:${consolePort}`;
  const outputs: string[] = [];

  const startService = () =>
    start(service, /cardbridge is ready[\s\S]*Demo key/, outputs, {
      DATA_DIR: folder,
      PORT: String(servicePort),
      METRICS_PORT: "0",
      PERSONS_ISSUER: `${url}/development-issuer`,
      PERSONS_AUDIENCE: "urn:cardbridge:development",
      PERSONS_ROLES: "roles",
      ...more,
    });

  let running = await startService();
  await start(consoleProgram, /The console is ready/, outputs, {
    CONSOLE_PORT: String(consolePort),
    CONSOLE_METRICS_PORT: "0",
    CARDBRIDGE_URL: serviceUrl,
    CARDBRIDGE_KEY: consoleKey,
  });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  return {
    url,
    folder,
    /** Everything that the service and the console wrote. */
    output: () => outputs.join(""),
    /** Submits a user's KYC. The tag in the e-mail selects the sandbox's scenario. Returns the record's id. */
    async submit(memberId: string, email: string, files: object = {}): Promise<string> {
      const response = await fetch(`${serviceUrl}/openapi/v1/users/kyc`, {
        method: "POST",
        headers: { authorization: `Bearer ${platformKey}`, "content-type": "application/json" },
        body: JSON.stringify({ ...exampleSubmission.input, ...files, memberId, email }),
      });
      const { kycRecordId } = (await accepted(response)) as { kycRecordId: string };
      return kycRecordId;
    },
    /** Uploads a file of the first demo platform. Returns its URL. */
    async upload(purpose: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
      const form = new FormData();
      form.set("purpose", purpose);
      form.set("file", new Blob([bytes]), "picture");
      const headers = { authorization: `Bearer ${platformKey}` };
      const response = await fetch(`${serviceUrl}/openapi/v1/files`, { method: "POST", headers, body: form });
      return ((await accepted(response)) as { url: string }).url;
    },
    /** Reports the provider's verdict about a record with its signed event. */
    async verdict(kycRecordId: string, status: string): Promise<void> {
      const path = `${serviceUrl}/openapi/v1/users/kyc/${kycRecordId}`;
      const read = await fetch(path, { headers: { authorization: `Bearer ${platformKey}` } });
      const { externalUserId } = (await read.json()) as { externalUserId: string };
      const data = { reference: kycRecordId, userReference: externalUserId, status, cardAccountId: null };
      const updatedAt = new Date().toISOString();
      const body = JSON.stringify({ type: "kyc.updated", data: { ...data, revision: 1, updatedAt } });
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
        await expect.poll(isMarked).toBe(true);
      } finally {
        await client.end();
      }
    },
    async killService() {
      running.kill("SIGKILL");
      await new Promise((resolve) => running.once("close", resolve));
    },
    async restartService() {
      running = await startService();
    },
  };
}

async function accepted(response: Response): Promise<unknown> {
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
