import type { Page } from "playwright-core";
import { change } from "../answers.ts";
import { dialog, type World } from "../people.ts";
import type { Seeded } from "../seed.ts";

/** One state of a view. */
export interface View {
  /** Who looks at it: Cleo of compliance, unless it says otherwise. */
  as?: "sam" | "omar" | "ada" | "nobody";
  path: string | ((seeded: Seeded) => string);
  /** What is there once the view is complete. */
  shows: string;
  /** The one tab that is marked as the present one. */
  tab?: string;
  before?: (page: Page, world: World) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
}

/** What a test types into a view: no word of the console, and no answer of the service. */
export const typed = "typed by a test";

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).first().click();
export const pressInDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name }).click();

/** Opens the dialog of an act. */
export const opens = (button: string) => async (page: Page) => {
  await press(page, button);
  await dialog(page).waitFor();
};

/** Shows what one person does alone. */
export const fourEyesOff = (page: Page) =>
  change<object>(page, "service.status", (status) => ({ ...status, fourEyes: false }));
