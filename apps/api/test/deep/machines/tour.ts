import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platformScope } from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import { putApiKey } from "@cardbridge/store";
import type { TestDatabase } from "@cardbridge/store/testing";
import { encryptionKeys } from "../../../src/boot/options.ts";
import { seedDatabase, seedSandbox } from "../../../src/boot/seed.ts";
import { sandboxCredentials } from "../../../src/config/development-secrets.ts";
import { readEnv } from "../../../src/config/env.ts";
import { generateKey } from "../../support/generate-key.ts";
import { startService } from "../../support/service-process.ts";
import { playTour } from "../../support/tour.ts";
import { unusedPort } from "../../support/unused-port.ts";

/** Plays the README's tour on the built service with a database. Returns what differs from the README. */
export async function tourOn(
  { ownerUrl, serviceUrl }: Pick<TestDatabase, "ownerUrl" | "serviceUrl">,
  env: Record<string, string>,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-tour-"));
  const port = String(await unusedPort());
  // The sandbox fetches the files of the service.
  const sandbox = await startSandbox({
    dataFolder: folder,
    ...sandboxCredentials,
    fetchUnder: [`http://127.0.0.1:${port}`],
  });
  try {
    await seedDatabase(ownerUrl, encryptionKeys(readEnv({})));
    // A service with a configured database refuses the demo keys.
    const { key, ...stored } = generateKey("platform");
    const details = { keyId: "key_tour", platformId: "plt_demo_one", name: "tour" };
    await putApiKey(ownerUrl, { ...details, scopes: platformScope.options, ...stored });
    await seedSandbox(sandbox.url);
    const service = await startService({
      PORT: port,
      METRICS_PORT: "0",
      DATABASE_URL: serviceUrl,
      PROVIDER_URL: sandbox.url,
      PROVIDER_CLIENT_ID: sandboxCredentials.clientId,
      PROVIDER_CLIENT_SECRET: sandboxCredentials.clientSecret,
      FILES_DIR: join(folder, "files"),
      ...env,
    });
    const [submitted, , cards, alice, bob] = await playTour(service.url, key);
    const code = await service.end("SIGTERM");
    const shown = JSON.stringify([submitted.status, cards.total, alice.total, bob.page, code]);
    const expected = JSON.stringify(["APPROVED", 1, 4, 2, 0]);
    return shown === expected ? [] : [`The tour shows ${shown} instead of ${expected}`];
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
