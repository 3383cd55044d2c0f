import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A phone in light, and a desk in dark: violations depend on the one or on the other. */
export const looks = [
  { width: 390, colorScheme: "light" },
  { width: 1_440, colorScheme: "dark" },
] as const;

export async function look(page: Page, { width, colorScheme }: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** Expects no violation of accessibility, no sideways scrolling and one heading, as the page is shown now. */
export async function checkLook(page: Page, { colorScheme }: (typeof looks)[number]): Promise<void> {
  await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
  // The legacy mode collects the results without opening another page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  expect(found).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  expect(await page.locator("h1:visible").count()).toBe(1);
}
