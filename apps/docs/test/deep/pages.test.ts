import { readdir } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { site } from "../support/site.ts";
import { browserPath, openBrowser } from "./support/browser.ts";
import { checkPage, readPage } from "./support/read-page.ts";
import { serveSite } from "./support/serve-site.ts";

/** A page of each kind. */
const kinds: Record<string, string> = {
  overview: "",
  guide: "/platforms/quick-start",
  operation: "/reference/cards.list",
  errors: "/platforms/errors",
  decisions: "/platforms/decisions",
  tables: "/operate/configuration",
  "page for operators": "/operate/runbook",
  "page for contributors": "/contribute/architecture",
  reference: "/reference",
  "page of an unknown address": "/404",
};
const size = (width: number) => ({ viewport: { width, height: 900 } });

describe.skipIf(!browserPath)(`pages${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: Awaited<ReturnType<typeof serveSite>>;
  let browser: Browser;
  beforeAll(async () => {
    server = await serveSite();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  for (const [kind, path] of Object.entries(kinds))
    for (const colorScheme of ["light", "dark"] as const)
      it.each([390, 768, 1440])(`${kind}: no violation at %d px, ${colorScheme}`, async (width) => {
        await readPage(browser, `${server.url}/docs${path}`, { ...size(width), colorScheme }, checkPage);
      });

  it("the choice of a language holds for other groups and other pages", async () => {
    await readPage(browser, `${server.url}/docs/platforms/quick-start`, size(1440), async (page) => {
      await page.locator(".tabs > label", { hasText: "Python" }).first().click();
      await page.goto(`${server.url}/docs/platforms/kyc`);
      const groups = await page.locator(".tabs").count();
      expect(groups).toBeGreaterThan(1);
      // The script that restores the choice runs after the page is there.
      await expect
        .poll(() => page.getByRole("radio", { name: "Python", checked: true }).count())
        .toBe(groups);
    });
  });

  it.each(["light", "dark"] as const)(
    "without JavaScript the tabs switch, in %s colours",
    async (colorScheme) => {
      const options = { ...size(1440), colorScheme, javaScriptEnabled: false };
      await readPage(browser, `${server.url}/docs/platforms/kyc`, options, async (page) => {
        const tabs = page.locator(".tabs").first();
        const panels = tabs.locator(".panel");
        await tabs.locator("label", { hasText: "Python" }).click();
        await panels.nth(2).waitFor();
        expect(await panels.nth(0).isVisible()).toBe(false);
        const colour = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(14, 18, 25)";
        expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(colour);
        expect(await page.locator(".copy").first().isVisible()).toBe(false);
      });
    },
  );

  it("a page is readable without JavaScript: text, tabs and the menu", async () => {
    const options = { ...size(390), javaScriptEnabled: false };
    await readPage(browser, `${server.url}/docs/platforms/kyc`, options, async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Webhooks" }).first().waitFor();
    });
    expect.assertions(1);
  });

  it("the search finds a section, and Enter opens it", async () => {
    await readPage(browser, `${server.url}/docs`, size(1440), async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: "Search the documentation" }).fill("idempotency");
      const options = page.getByRole("listbox").getByRole("option");
      await options.first().waitFor();
      expect(await options.count()).toBeGreaterThan(1);
      await checkPage(page);
      await page.keyboard.press("ArrowDown");
      const chosen = page.getByRole("listbox").getByRole("option", { selected: true });
      const address = await chosen.getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${address}`);
    });
  });

  it("the search says that it finds nothing", async () => {
    await readPage(browser, `${server.url}/docs`, size(390), async (page) => {
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("combobox", { name: "Search the documentation" }).fill("zzzzzzqqqq");
      await page.getByText("No results for “zzzzzzqqqq”").waitFor();
    });
  });

  it("a block of code is copied as it is shown", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    await readPage(
      browser,
      `${server.url}/docs/operate/install`,
      { ...size(1440), permissions },
      async (page) => {
        const block = page.locator(".expressive-code").first();
        await block.getByRole("button").click();
        await block.getByText("Copied!").waitFor();
        const copied = String(await page.evaluate("navigator.clipboard.readText()"));
        expect(copied.split("\n")[0]).toBe(await block.locator(".ec-line").first().textContent());
      },
    );
  });

  it("no page scrolls sideways", async () => {
    const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith(".html"));
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const wide: string[] = [];
    for (const name of names) {
      await page.goto(`${server.url}/docs/${name.replace(/(?:index)?\.html$/, "")}`);
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        if (Number(overflow) > 0) wide.push(`${name} at ${width}: ${overflow} px`);
      }
    }
    await page.close();
    expect(wide).toEqual([]);
  });
});
