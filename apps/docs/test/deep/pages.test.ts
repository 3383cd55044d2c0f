import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { site } from "../support/site.ts";
import { browserPath, checkPage, openBrowser, overflowOf } from "./support/browser.ts";

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
const narrow = { viewport: { width: 390, height: 900 }, colorScheme: "light" } as const;
/** Texts of pictures that are smaller than 12 px, in another font than the page, or cut at an edge. */
const illegibleTexts = `[...document.querySelectorAll(".diagram text")].filter((text) => {
  const { fontSize, fontFamily } = getComputedStyle(text);
  const picture = text.ownerSVGElement.getBoundingClientRect();
  const { left, right } = text.getBoundingClientRect();
  const isSmall = parseFloat(fontSize) * text.getScreenCTM().a < 12;
  const isCut = left < picture.left || right > picture.right;
  return isSmall || isCut || fontFamily !== getComputedStyle(document.body).fontFamily;
}).map((text) => text.textContent)`;
const wide = { viewport: { width: 1_440, height: 900 }, colorScheme: "dark" } as const;

describe.skipIf(!browserPath)(`pages${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  describe.each([narrow, wide])("at $viewport.width px, in $colorScheme colours", (look) => {
    it.each(Object.keys(kinds))("no violation: %s", async (kind) => {
      await browser.readPage(kinds[kind] ?? "", look, checkPage);
    });
  });

  it("on a phone, no page scrolls sideways, and pictures are legible", async () => {
    const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith(".html"));
    const overflows: string[] = [];
    const illegible: string[] = [];
    await browser.readPage("", narrow, async (page, url) => {
      for (const name of names) {
        await page.goto(`${url}/docs/${name.replace(/(?:index)?\.html$/, "")}`);
        const overflow = await overflowOf(page);
        if (overflow > 0) overflows.push(`${name}: ${overflow} px`);
        const texts = [await page.evaluate(illegibleTexts)].flat();
        illegible.push(...texts.map((text) => `${name}: ${text}`));
      }
    });
    expect({ overflows, illegible }).toEqual({ overflows: [], illegible: [] });
  });

  it("an operation's example is beside its parameters from 1,200 px on, above them below, and no word is broken", async () => {
    for (const width of [1_190, 1_200, 1_440]) {
      const look = { ...narrow, viewport: { width, height: 900 } };
      await browser.readPage("/reference/kyc.submit", look, async (page) => {
        const example = await page.locator(".operation-example").boundingBox();
        const text = await page.locator(".operation-text").boundingBox();
        const isBeside = (example?.x ?? 0) >= (text?.x ?? 0) + (text?.width ?? 0);
        expect([width, isBeside]).toEqual([width, width >= 1_200]);
        expect([width, await overflowOf(page)]).toEqual([width, 0]);
        // A cell is as wide as its longest word.
        const narrowest =
          "Math.min(...[...document.querySelectorAll('.operation-text td')].map((cell) => cell.clientWidth))";
        expect(await page.evaluate(narrowest)).toBeGreaterThan(60);
      });
    }
  });

  it("the text begins at the same place with and without a list of the headings", async () => {
    const places: (number | undefined)[] = [];
    for (const path of ["/platforms/quick-start", "", "/404"])
      await browser.readPage(path, wide, async (page) => {
        places.push((await page.getByRole("heading", { level: 1 }).boundingBox())?.x);
      });
    expect(new Set(places).size).toBe(1);
  });

  it("the choice of a language holds for other groups and other pages", async () => {
    await browser.readPage("/platforms/quick-start", wide, async (page, url) => {
      await page.locator(".tabs > label", { hasText: "Python" }).first().click();
      await page.goto(`${url}/docs/platforms/kyc`);
      const groups = await page.locator(".tabs").count();
      expect(groups).toBeGreaterThan(1);
      // The script that restores the choice runs after the page is there.
      await expect
        .poll(() => page.getByRole("radio", { name: "Python", checked: true }).count())
        .toBe(groups);
    });
  });

  it("a page is readable without JavaScript: text, tabs, colours and the menu", async () => {
    await browser.readPage("/platforms/kyc", { ...narrow, javaScriptEnabled: false }, async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      const tabs = page.locator(".tabs").first();
      const panels = tabs.locator(".panel");
      await tabs.locator("label", { hasText: "Python" }).click();
      await panels.nth(2).waitFor();
      expect(await panels.nth(0).isVisible()).toBe(false);
      expect(await page.locator(".copy").first().isVisible()).toBe(false);
      const colour = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(await colour()).toBe("rgb(255, 255, 255)");
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await colour()).toBe("rgb(14, 18, 25)");
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Webhooks" }).first().waitFor();
    });
  });

  it("the search finds a section, which Enter opens, and says that it finds nothing", async () => {
    await browser.readPage("", wide, async (page) => {
      await page.keyboard.press("/");
      const field = page.getByRole("combobox", { name: "Search the documentation" });
      await field.fill("zzzzzzqqqq");
      await page.getByText("No results for “zzzzzzqqqq”").waitFor();
      await field.fill("idempotency");
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

  it("a block of code is copied as it is shown", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    await browser.readPage("/operate/install", { ...wide, permissions }, async (page) => {
      const block = page.locator(".expressive-code").first();
      await block.getByRole("button").click();
      await block.getByText("Copied!").waitFor();
      const copied = String(await page.evaluate("navigator.clipboard.readText()"));
      expect(copied.split("\n")[0]).toBe(await block.locator(".ec-line").first().textContent());
    });
  });
});
