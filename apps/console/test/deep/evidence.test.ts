import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { submittedCanary } from "../support/views/evidence.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";

const options = { viewport: { width: 1_440, height: 900 } };

describe.skipIf(!browserPath)(`evidence${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeEach(async () => {
    server = await startFakeConsole(createState("compliance", 90));
    browser = await openBrowser(browserPath ?? "");
  });
  afterEach(async () => {
    await browser.close();
    await server.close();
  });

  const goToRecord = async (page: Page) => {
    const row = server.state.rows.find(({ lastAttempt }) => lastAttempt?.reason === "timeout");
    await page.goto(`${server.url}/records/${row?.kycRecordId}`);
    await page.getByRole("button", { name: "Open evidence" }).waitFor();
  };
  const open = async (page: Page) => {
    await page.getByLabel("For a review").check();
    await page.getByRole("button", { name: "Open evidence" }).click();
    await page.locator("img[src^='blob:']").nth(1).waitFor();
  };
  const opened = () => server.state.writes.filter(({ name }) => name === "records.submission");
  const body = (page: Page) => page.evaluate<string>("document.body.innerText");
  /** Whether the page can still show a picture. */
  const isThere = (page: Page, url: string | null) =>
    page.evaluate<boolean>(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = ${JSON.stringify(url)};
    })`);

  it("is asked for only with a purpose, and opens by keyboard alone", async () => {
    await withPage(browser, options, async ({ page, addresses, faults }) => {
      await goToRecord(page);
      await page.getByRole("button", { name: "Open evidence" }).press("Enter");
      expect(opened()).toEqual([]);
      expect(addresses.some((address) => address.includes("records.submission"))).toBe(false);

      await page.getByLabel("For a review").focus();
      for (const key of ["ArrowDown", "Tab", "Enter"]) await page.keyboard.press(key);
      await page.getByText("Opened for suspected fraud · audit 4711 · closes in").waitFor();
      expect(opened()).toMatchObject([{ input: { purpose: "fraud" } }]);
      expect(await body(page)).toContain(submittedCanary);
      expect(faults).toEqual([]);
    });
  });

  it("leaves nothing behind when it is closed: no text, no picture, no address, no storage", async () => {
    await withPage(browser, options, async ({ page, addresses }) => {
      await goToRecord(page);
      await open(page);
      const picture = await page.locator("img[src^='blob:']").first().getAttribute("src");
      expect(await isThere(page, picture)).toBe(true);
      const kept = () =>
        page.evaluate<string>(
          "JSON.stringify([document.title, location.href, history.state, {...localStorage}, {...sessionStorage}])",
        );
      for (const place of [await kept(), ...addresses]) {
        expect(place).not.toMatch(/Chan|chan\.taiman|K0123456/);
      }
      await page.getByRole("button", { name: "Close evidence" }).click();
      await page.getByRole("button", { name: "Open evidence" }).waitFor();
      expect(await body(page)).not.toContain(submittedCanary);
      expect(await isThere(page, picture)).toBe(false);
      const before = addresses.length;
      await open(page);
      expect(opened()).toHaveLength(2);
      const again = addresses.slice(before).filter((address) => address.includes("records.submissionFile"));
      expect(again).toHaveLength(2);
    });
  });

  it("closes by itself after its time", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.clock.install();
      await goToRecord(page);
      await open(page);
      await page.clock.fastForward("15:00");
      await page.getByText("The evidence closed after 15 minutes.").waitFor();
      expect(await body(page)).not.toContain(submittedCanary);
      expect(await page.locator("img[src^='blob:']").count()).toBe(0);
    });
  });

  it("is closed on return to a record that was left", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToRecord(page);
      await open(page);
      const picture = await page.locator("img[src^='blob:']").first().getAttribute("src");
      await page.getByRole("link", { name: "Queue" }).first().click();
      await page.locator("tr[data-record]").first().waitFor();
      expect(await isThere(page, picture)).toBe(false);
      await page.goBack();
      await page.getByRole("button", { name: "Open evidence" }).waitFor();
      expect(await body(page)).not.toContain(submittedCanary);
      expect(opened()).toHaveLength(1);
    });
  });

  it("closes when the service says that it is closed", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToRecord(page);
      await open(page);
      server.state.failures.set("records.submissionFile", new Refusal(403, "EVIDENCE_CLOSED", "Not open."));
      await page.getByRole("combobox", { name: /^Picture 2/ }).click();
      await page.getByRole("option", { name: "Document, back" }).click();
      await page.getByText("The evidence is closed.").waitFor();
      expect(await body(page)).not.toContain(submittedCanary);
    });
  });

  it("zooms and turns by keys and by the wheel, which do nothing else", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToRecord(page);
      await open(page);
      const front = page.getByRole("group", { name: "Document, front" });
      const picture = front.getByRole("img");
      const width = async () => (await picture.boundingBox())?.width ?? 0;
      const [before, height] = [await width(), (await picture.boundingBox())?.height];
      await front.focus();
      await page.keyboard.press("+");
      await page.keyboard.press("+");
      await expect.poll(async () => Math.round((await width()) / before)).toBe(2);
      await page.keyboard.press("-");
      await front.hover();
      await page.mouse.wheel(0, -100);
      await expect.poll(async () => Math.round((await width()) / before)).toBe(2);
      await page.keyboard.press("0");
      await expect.poll(width).toBe(before);
      await page.keyboard.press("r");
      const turned = async () => {
        const box = await picture.boundingBox();
        return box && box.height > box.width;
      };
      await expect.poll(turned).toBe(true);
      expect(height).toBeLessThan(before);
      expect(server.state.writes.map(({ name }) => name)).toEqual(["records.submission"]);
    });
  });

  it("shows any two files side by side, and the pages of a PDF", async () => {
    const asked: unknown[] = [];
    await withPage(browser, options, async ({ page }) => {
      page.on("request", (request) => {
        if (request.url().includes("records.submissionFile")) asked.push(request.postDataJSON());
      });
      await goToRecord(page);
      await open(page);
      await page.getByRole("combobox", { name: /^Picture 2/ }).click();
      await page.getByRole("option", { name: "Utility bill" }).click();
      await page.getByRole("img", { name: "Utility bill, Page 1 of 10" }).waitFor();
      await page.getByText("The first 10 of 12 pages are shown.").waitFor();
      await page.getByRole("button", { name: "Next page: Utility bill" }).click();
      await page.getByRole("img", { name: "Utility bill, Page 2 of 10" }).waitFor();
      await page.getByRole("img", { name: "Document, front" }).waitFor();
      expect(asked.at(-1)).toMatchObject({ page: 2, fileId: expect.stringMatching(/3$/) });
      await page.getByText("at files.partner.example").waitFor();
    });
  });
});
