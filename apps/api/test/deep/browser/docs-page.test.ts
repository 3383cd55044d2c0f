import { mkdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { openSite } from "../../../src/http/docs/site.ts";
import { serve } from "../../../src/server/serve.ts";
import { builtSite } from "../../support/built-site.ts";
import { fakeApp } from "../../support/fakes.ts";
import { browserPath, withBrowser } from "./browser.ts";

const paths = [
  "/docs",
  "/docs/platforms/quick-start",
  "/docs/platforms/errors#rate_limited",
  "/docs/reference/kyc.submit",
  "/docs/operate/configuration",
  "/docs/nowhere",
];

it("the documentation works under its policy, without other hosts, and with the service's address", async (context) => {
  if (!browserPath) return context.skip("not run: no chromium on this machine; set CHROMIUM_PATH");
  const publicUrl = "https://cards.example.com";
  const { app } = fakeApp({ site: openSite(builtSite, { publicUrl, demo: false }) });
  await mkdir(".reports", { recursive: true });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });

  await withBrowser(browserPath, async (browser) => {
    const page = await browser.newPage();
    // The test's timeout ends a hanging page.
    page.setDefaultTimeout(0);
    const external: string[] = [];
    const complaints: string[] = [];
    await page.route("**", (route) => {
      const url = route.request().url();
      if (url.startsWith(server.url) || url.startsWith("data:")) return route.continue();
      external.push(url);
      return route.abort();
    });
    page.on("console", (message) => {
      // The page of an unknown address is a 404.
      if (message.type() === "error" && !message.text().includes("404")) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));

    for (const path of paths) {
      await page.goto(server.url + path);
      await page.waitForLoadState("networkidle");
      expect([path, await page.locator("h1").count()]).toEqual([path, 1]);
      await page.screenshot({ path: `.reports/docs${path.replaceAll(/\W/g, "-")}.png` });
    }
    await page.goto(`${server.url}/docs/platforms/quick-start`);
    const text = await page.locator("main").textContent();
    expect(text).toContain(publicUrl);
    expect(text).toContain("YOUR_API_KEY");
    expect(text).not.toMatch(/127\.0\.0\.1:3000|cb_test_Demo/);
    expect(external).toEqual([]);
    expect(complaints).toEqual([]);
  });
  await server.close(0);
});
