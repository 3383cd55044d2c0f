import { mkdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";
import { fakeApp } from "../../support/fakes.ts";
import { browserPath, withBrowser } from "./browser.ts";

it("the docs page and the guides render without requests to other hosts", async (context) => {
  if (!browserPath) return context.skip("not run: no chromium on this machine; set CHROMIUM_PATH");
  const { app } = fakeApp();
  await mkdir(".reports", { recursive: true });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });

  await withBrowser(browserPath, async (browser) => {
    const page = await browser.newPage();
    // The test's timeout ends a hanging page.
    page.setDefaultTimeout(0);
    await page.setViewportSize({ width: 1400, height: 1000 });
    const external: string[] = [];
    const complaints: string[] = [];
    await page.route("**", (route) => {
      const url = route.request().url();
      if (url.startsWith(server.url) || url.startsWith("data:") || url.startsWith("blob:"))
        return route.continue();
      external.push(url);
      return route.abort();
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));

    await page.goto(`${server.url}/docs`);
    await page.getByRole("heading", { name: "List a user's cards" }).first().waitFor();
    await page.screenshot({ path: ".reports/docs-page-top.png" });
    await page.getByRole("link", { name: "Submit a user's KYC" }).first().click();
    await page.getByRole("heading", { name: "Submit a user's KYC" }).first().waitFor();
    await page.waitForLoadState("networkidle");
    const text = await page.locator("body").textContent();
    expect(text).toContain("/openapi/v1/cards/list");
    expect(text).toContain("/openapi/v1/users/kyc");
    await page.screenshot({ path: ".reports/docs-page.png" });
    expect(text).toContain("Bearer <key>");

    await page.goto(`${server.url}/docs/platforms/errors#rate_limited`);
    await page.locator("#rate_limited").waitFor({ state: "attached" });
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = "document.documentElement.scrollWidth - innerWidth";
      expect([width, await page.evaluate(overflow)]).toEqual([width, 0]);
    }
    expect(external).toEqual([]);
    expect(complaints).toEqual([]);
  });
  await server.close(0);
});
