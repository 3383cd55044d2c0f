import { rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restore } from "../support/answers.ts";
import { describeInBrowser, watch } from "../support/people.ts";
import { type Seeded, seed } from "../support/seed.ts";
import { startStack } from "../support/stack.ts";
import { checkLook, look, looks } from "../support/views/check.ts";
import { foreignWords } from "../support/views/foreign-words.ts";
import { platformViews } from "../support/views/platforms.ts";
import { buildPseudoLocale, marks } from "../support/views/pseudo-build.ts";
import { recordViews } from "../support/views/records.ts";
import { serviceViews } from "../support/views/service.ts";
import { userViews } from "../support/views/users.ts";
import { typed, type View } from "../support/views/view.ts";

const views: Record<string, View> = { ...recordViews, ...userViews, ...platformViews, ...serviceViews };
let folder: string;

/*
 * Each view in each of its states, visited once: no violation of accessibility, nothing wider than the window, every word in a
 * constant of words. The pages are built with marked words, so what a view shows without a mark is data, or stands elsewhere.
 */
describeInBrowser(
  "views",
  (world) => {
    let seeded: Seeded;
    let page: Page;
    let seen: ReturnType<typeof watch>;
    const answers: Promise<unknown>[] = [];

    beforeAll(async () => {
      seeded = await seed(world);
      page = await world.page();
      seen = watch(page);
      page.on("response", (response) => {
        const isJson = response.headers()["content-type"]?.startsWith("application/json");
        if (isJson) answers.push(response.json().catch(() => undefined));
      });
    });
    afterAll(async () => {
      seeded?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.each(Object.entries(views))("%s", async (_name, view) => {
      const { as = "cleo", path, shows, tab, before, act } = view;
      restore(page);
      if (as === "nobody") await page.context().clearCookies();
      else await world.enter(page, as);
      await look(page, looks[0]);
      await before?.(page, world);
      await page.goto(world.stack.url + (typeof path === "string" ? path : path(seeded)));
      await page.locator(shows).first().waitFor();
      await act?.(page);
      await checkLook(page, looks[0]);
      await look(page, looks[1]);
      await checkLook(page, looks[1]);

      const answered = await Promise.all(answers);
      expect(await foreignWords(page, () => [...answered, typed])).toEqual([]);
      expect(await page.locator("body").textContent()).toContain(marks.open);
      const present = await page.locator("main nav [aria-current]").allInnerTexts();
      if (tab) expect(present).toEqual([expect.stringContaining(tab)]);
      expect(seen.faults.splice(0)).toEqual([]);
    });
  },
  async () => {
    folder = await buildPseudoLocale();
    return startStack(folder);
  },
);
