import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startService } from "../../support/service-process.ts";
import { browserPath, withBrowser } from "./browser.ts";

it("the page of an operation sends its example with the demo key, and shows the answer", async ({
  skip,
  onTestFinished,
}) => {
  if (browserPath === undefined) return skip("not run: there is no Chromium");
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-try-it-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const service = await startService({ DATA_DIR: folder, METRICS_PORT: "0" });
  await withBrowser(browserPath, async (context) => {
    const page = await context.newPage();
    for (const [operation, answer] of [
      ["cards.list", '"totalPages": 1'],
      ["kyc.submit", '"code": "KYC_SUBMITTED"'],
      ["webhooks.create", '"secret": "whsec_'],
    ]) {
      await page.goto(`${service.url}/docs/reference/${operation}`);
      await page.getByRole("button", { name: "Try it" }).click();
      const shown = page.locator(".try-it output");
      await shown.locator("pre").waitFor();
      expect([operation, await shown.textContent()]).toEqual([
        operation,
        expect.stringContaining(answer ?? ""),
      ]);
    }
    await page.goto(`${service.url}/docs/reference/files.upload`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByRole("button", { name: "Try it" }).count()).toBe(0);
  });
  expect(await service.end("SIGTERM")).toBe(0);
});
