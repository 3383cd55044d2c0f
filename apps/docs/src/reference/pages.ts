import { operations } from "../document/operations.ts";
import type { Page } from "../source/page.ts";
import { eventsPage } from "./events-page.ts";
import { operationPage } from "./operation-page.ts";
import { overviewPage } from "./overview-page.ts";

/** The pages of the reference: the overview, a page of each operation, and the events. */
export function referencePages(): Page[] {
  return [overviewPage(), ...operations.map(operationPage), eventsPage()];
}
