import type { Page, Request } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { refuse } from "../support/answers.ts";
import { describeInBrowser, keptBy, watch } from "../support/people.ts";
import { canary, submitStuck } from "../support/seed.ts";

describeInBrowser("evidence", (world) => {
  let record: string;
  beforeAll(async () => {
    record = (await submitStuck(world, "evidence")).kycRecordId;
  });

  /** Opens the record as Cleo. `calls` has the inputs of a procedure since then. */
  const goToRecord = async (prepare = async (_page: Page) => {}) => {
    const page = await world.page("cleo");
    const { urls, faults } = watch(page);
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    await prepare(page);
    await page.goto(`${world.stack.url}/records/${record}`);
    await page.getByRole("button", { name: "Open evidence" }).waitFor();
    const calls = (name: string) =>
      requests.filter((each) => each.url().endsWith(`/${name}`)).map((each) => each.postDataJSON());
    return { page, urls, faults, calls };
  };
  const open = async (page: Page) => {
    await page.getByLabel("For a review").check();
    await page.getByRole("button", { name: "Open evidence" }).click();
    await page.locator("img[src^='blob:']").nth(1).waitFor();
  };
  const body = (page: Page) => page.evaluate<string>("document.body.innerText");
  const firstPicture = (page: Page) => page.locator("img[src^='blob:']").first().getAttribute("src");
  /** Whether the page can still show a picture. */
  const isThere = (page: Page, url: string | null) =>
    page.evaluate<boolean>(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve(true);
      image.onerror = () => resolve(false);
      image.src = ${JSON.stringify(url)};
    })`);

  it("is asked for only with a purpose, opens by keyboard alone, and stands in the timeline", async () => {
    const { page, calls, faults } = await goToRecord();
    await page.getByRole("button", { name: "Open evidence" }).press("Enter");
    expect(calls("records.submission")).toEqual([]);
    await page.getByRole("heading", { level: 1 }).click();
    for (const key of ["e", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.getByText(/^Opened for suspected fraud · audit \d+ · closes/).waitFor();
    expect(calls("records.submission")[0]).toMatchObject({ purpose: "fraud" });
    expect(await body(page)).toContain(canary);
    const opening = page.getByRole("listitem").filter({ hasText: "Evidence opened by Cleo Compliance" });
    await opening.first().getByText("For suspected fraud").waitFor();
    expect(faults).toEqual([]);
  });

  it("leaves nothing behind when it is closed: no text, no picture, no address, no storage", async () => {
    const { page, urls, calls } = await goToRecord();
    await open(page);
    const picture = await firstPicture(page);
    expect(await isThere(page, picture)).toBe(true);
    for (const place of [await keptBy(page), ...urls])
      expect(place).not.toMatch(/Canary|mismatched@|E1234567/);
    await page.getByRole("button", { name: "Close evidence" }).click();
    await page.getByRole("button", { name: "Open evidence" }).waitFor();
    expect(await body(page)).not.toContain(canary);
    expect(await isThere(page, picture)).toBe(false);
    const before = calls("records.submissionFile").length;
    await open(page);
    expect(calls("records.submissionFile")).toHaveLength(2 * before);
  });

  it("is closed on return to a record that was left", async () => {
    const { page, calls } = await goToRecord();
    await open(page);
    const picture = await firstPicture(page);
    const opened = calls("records.submission").length;
    await page.getByRole("link", { name: "Queue" }).first().click();
    await page.locator("tr[data-record]").first().waitFor();
    expect(await isThere(page, picture)).toBe(false);
    await page.goBack();
    await page.getByRole("button", { name: "Open evidence" }).waitFor();
    expect(await body(page)).not.toContain(canary);
    expect(calls("records.submission")).toHaveLength(opened);
  });

  it("closes by itself after its time, and when the service says that it is closed", async () => {
    const { page } = await goToRecord((page) => page.clock.install());
    await open(page);
    await page.clock.fastForward("15:00");
    await page.getByText("The evidence closed after 15 minutes.").waitFor();
    expect(await body(page)).not.toContain(canary);
    expect(await page.locator("img[src^='blob:']").count()).toBe(0);

    const { page: other } = await goToRecord();
    await open(other);
    await refuse(other, "records.submissionFile", 403, "EVIDENCE_CLOSED");
    await other.getByRole("combobox", { name: /^Picture 2/ }).click();
    await other.getByRole("option", { name: "Utility bill" }).click();
    await other.getByText("The evidence is closed.").waitFor();
    expect(await body(other)).not.toContain(canary);
  });

  it("shows any two files side by side, and zooms and turns by keys, which do nothing else", async () => {
    const { page, calls } = await goToRecord();
    await open(page);
    await page.getByRole("combobox", { name: /^Picture 2/ }).click();
    await page.getByRole("option", { name: "Utility bill" }).click();
    await page.getByRole("img", { name: "Utility bill, Page 1 of 10" }).waitFor();
    await page.getByText("The first 10 of 12 pages are shown.").waitFor();
    await page.getByRole("button", { name: "Next page: Utility bill" }).click();
    await page.getByRole("img", { name: "Utility bill, Page 2 of 10" }).waitFor();
    await page.getByText("at files.example.com").waitFor();
    expect(calls("records.submissionFile").at(-1)).toMatchObject({ page: 2 });

    const front = page.getByRole("group", { name: "Document, front" });
    const picture = front.getByRole("img");
    const box = async () => (await picture.boundingBox()) ?? { width: 0, height: 0 };
    const { width } = await box();
    const isZoomed = async () => Math.round((await box()).width / width) === 2;
    await front.focus();
    for (const key of ["+", "+"]) await page.keyboard.press(key);
    await expect.poll(isZoomed).toBe(true);
    await page.keyboard.press("0");
    await expect.poll(async () => (await box()).width).toBe(width);
    const { width: wide, height: low } = await box();
    await page.keyboard.press("r");
    await expect.poll(async () => (await box()).height / (await box()).width).toBeCloseTo(wide / low, 1);
    expect([calls("records.refresh"), calls("records.assign")]).toEqual([[], []]);
  });
});
