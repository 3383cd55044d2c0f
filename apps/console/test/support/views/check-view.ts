import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { withPage } from "./browser.ts";

/** One state of a view. */
export interface View {
  path: () => string;
  /** What is there once the view is complete. */
  shows: string;
  before?: () => void;
  act?: (page: Page) => Promise<unknown>;
}

/** The widths at which views are looked at, in pixels: a phone, and a desk. */
export const widths = [390, 1_440] as const;

/**
 * Opens a view, in light on a phone and in dark on a desk: violations depend on the one or on the other. Expects none, no
 * sideways scrolling, one heading and no fault.
 */
export async function checkView(
  browser: Browser,
  url: string,
  { path, shows, act }: View,
  width: number,
): Promise<void> {
  const colorScheme = width === 390 ? "light" : "dark";
  await withPage(browser, { viewport: { width, height: 900 }, colorScheme }, async ({ page, faults }) => {
    await page.goto(url + path());
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    await page.locator(shows).first().waitFor();
    await act?.(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    expect(found).toEqual([]);
    const sideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(sideways).toBe(false);
    expect(await page.locator("h1").count()).toBe(1);
    expect(faults).toEqual([]);
  });
}
