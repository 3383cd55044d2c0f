import type { Page } from "playwright-core";

/** A state of a view, as tests open it. */
export interface View {
  path: () => string;
  /** What is there once the view is complete. */
  shows: string;
  before?: () => void;
  act?: (page: Page) => Promise<unknown>;
}
