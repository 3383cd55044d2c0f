import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unusedPort } from "../../../api/test/support/unused-port.ts";
import { createService } from "../../src/server/api/service.ts";
import { createApp } from "../../src/server/app.ts";
import { createDevelopmentIssuer, issuerPath } from "../../src/server/development-issuer/issuer.ts";
import { createLog } from "../../src/server/http/log.ts";
import { createMetrics } from "../../src/server/http/metrics.ts";
import { serve } from "../../src/server/http/serve.ts";
import { createMemoryStore } from "../../src/server/sessions/memory-store.ts";
import type { Store } from "../../src/server/sessions/store.ts";
import { Browser } from "./browser.ts";
import { startFakeService } from "./fake-service.ts";

/** The key of the console in tests. */
export const testKey = "cb_int_test_ConsoleOfTests000000000000ABCD";

/** What the types of oidc-provider omit. */
interface LoggingOut {
  backchannelLogout(subject: string, issuerSession: string): Promise<void>;
  backchannelLogoutSessionRequired: boolean;
}

/** The console's real server on a free port, with the development issuer, a fake service and a clock to move. */
export async function startConsole({ store }: { store?: (now: () => number) => Store } = {}) {
  const service = await startFakeService();
  const port = await unusedPort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const clock = { moved: 0 };
  const now = () => Date.now() + clock.moved;
  const webFolder = builtPages();
  const lines: string[] = [];
  const issuer = await createDevelopmentIssuer(publicUrl);
  const sessions = (store ?? createMemoryStore)(now);
  const metrics = createMetrics();
  const toService = createService({ url: service.url, key: testKey, metrics, now });
  const app = createApp({
    publicUrl,
    serviceKey: testKey,
    issuer: issuer.config,
    service: toService,
    store: sessions,
    slaHours: 4,
    links: { docsUrl: "https://docs.example.com" },
    webFolder,
    metrics,
    log: createLog((line) => void lines.push(line), now),
    now,
    streamCheckMs: 20,
    answerMs: 60_000,
  });
  const served = await serve(app.fetch, {
    host: "127.0.0.1",
    port,
    mounted: { prefix: `${issuerPath}/`, handle: issuer.handle },
  });
  return {
    publicUrl,
    service,
    clock,
    /** Sends a logout of a person from the issuer: of one of the issuer's sessions, or of all. */
    async logOut(subject: string, issuerSession?: string): Promise<void> {
      const client: unknown = await issuer.provider.Client.find("cardbridge-console");
      const loggingOut = client as LoggingOut;
      loggingOut.backchannelLogoutSessionRequired = issuerSession !== undefined;
      await loggingOut.backchannelLogout(subject, issuerSession ?? "any");
    },
    /** Starts this number of sign-ins that nobody completes, each as a browser without cookies, in the process. */
    async startSignIns(count: number): Promise<void> {
      const starts = Array.from({ length: count }, () => app.request("/auth/sign-in"));
      for (const response of await Promise.all(starts)) {
        if (response.status !== 303) throw new Error(`A start was refused: ${response.status}.`);
      }
    },
    log: () => lines.join(""),
    /** The lines of a scrape. */
    metrics: async () => (await metrics.app.request("/metrics")).text(),
    /** Whether the service has answered lately. */
    check: toService.check,
    browser: () => new Browser(publicUrl),
    async close() {
      await served.close(0);
      await sessions.close();
      await service.close();
      rmSync(webFolder, { recursive: true });
    },
  };
}

export type TestConsole = Awaited<ReturnType<typeof startConsole>>;

function builtPages(): string {
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-console-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>console</title>");
  writeFileSync(join(folder, "assets", "index-abc123.js"), "export {};\n");
  return folder;
}
