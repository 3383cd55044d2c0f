import { existsSync } from "node:fs";
import { type Browser as Chromium, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import type { people } from "../../src/server/development-issuer/people.ts";
import { Browser } from "./browser.ts";
import { type Stack, startStack } from "./stack.ts";

type PersonId = (typeof people)[number]["id"];

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** The installed browser, if any: `CHROMIUM_PATH`, or Debian's path. */
const browserPath = path !== "" && existsSync(path) ? path : undefined;

/** A session younger than this may do everything that needs a recent sign-in. */
const recentMs = 600_000;

/** Everything that the tests of a file share: the stack, a browser, and the signed-in persons. */
export interface World {
  stack: Stack;
  /** Opens a window of a profile of its own, signed in as a person or not. */
  page(person?: PersonId): Promise<Page>;
  /** Signs a window in as a person, unless it is. */
  enter(page: Page, person: PersonId): Promise<void>;
  /** Calls a procedure as a person, without a browser. */
  call<Answer>(person: PersonId, name: string, input?: object): Promise<Answer>;
}

/** Runs tests in a browser, beside a stack of their own. Without a browser their title says that they did not run. */
export function describeInBrowser(
  title: string,
  tests: (world: World) => void,
  start: () => Promise<Stack> = startStack,
): void {
  describe.skipIf(!browserPath)(`${title}${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
    const world = {} as World;
    let chrome: Chromium | undefined;
    beforeAll(async () => {
      const stack = await start();
      const args = ["--no-sandbox", "--disable-gpu", "--no-first-run"];
      chrome = await chromium.launch({ executablePath: browserPath ?? "", timeout: 0, args });
      Object.assign(world, createWorld(stack, chrome));
    });
    afterAll(async () => {
      await chrome?.close();
      await world.stack?.close();
    });
    tests(world);
  });
}

function createWorld(stack: Stack, chrome: Chromium): World {
  const sessions = new Map<PersonId, { browser: Browser; since: number }>();
  const sessionOf = async (person: PersonId): Promise<Browser> => {
    const known = sessions.get(person);
    if (known && Date.now() - known.since < recentMs) return known.browser;
    const browser = new Browser(stack.url);
    await browser.signIn(person);
    sessions.set(person, { browser, since: Date.now() });
    return browser;
  };
  const enter = async (page: Page, person: PersonId) => {
    const { session = "" } = await sessionOf(person);
    await page.context().addCookies([{ name: "cardbridge-console", value: session, url: stack.url }]);
  };
  return {
    stack,
    enter,
    async page(person) {
      const context = await chrome.newContext({ viewport: { width: 1_440, height: 900 } });
      const page = await context.newPage();
      // It ends before the test does, and so names what a test waits for.
      page.setDefaultTimeout(300_000);
      if (person) await enter(page, person);
      return page;
    },
    async call<Answer>(person: PersonId, name: string, input = {}) {
      const browser = await sessionOf(person);
      const response = await browser.api(`/api/trpc/${name}`, {
        method: "POST",
        body: JSON.stringify(input),
      });
      const { result, error } = (await response.json()) as { result?: { data: Answer }; error?: object };
      if (!result) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
      return result.data;
    },
  };
}

/** Signs a person of the development issuer in, as people do. */
export async function signIn(page: Page, url: string, person: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: person }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
}

/** Ends the session under a page, which notices it at the call of an act, or at a call of its own before that. */
export async function endSession(page: Page, act: () => Promise<void>): Promise<void> {
  await page.context().clearCookies();
  const noticed = page.getByRole("heading", { name: "You were signed out" }).waitFor();
  // The view of an act that comes too late is hidden.
  await Promise.race([noticed, act().catch(() => noticed)]);
  await noticed;
}

/** Everything that a browser shows outside of the page itself, and its complaints. */
export function watch(page: Page) {
  const seen = { urls: [] as string[], titles: [] as string[], faults: [] as string[] };
  page.on("request", (request) => seen.urls.push(request.url(), request.headers().referer ?? ""));
  page.on("framenavigated", (frame) => seen.urls.push(frame.url()));
  page.on("domcontentloaded", async () => void seen.titles.push(await page.title().catch(() => "")));
  page.on("pageerror", (error) => seen.faults.push(error.message));
  page.on("console", (message) => {
    // A refused or failed call is part of what some tests show.
    const isCall = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isCall) seen.faults.push(message.text());
  });
  return seen;
}

/** What the browser keeps of a page: nothing of it may be personal data. */
export const keptBy = (page: Page): Promise<string> =>
  page.evaluate(
    "JSON.stringify([document.title, location.href, history.state, {...localStorage}, {...sessionStorage}])",
  );

export const dialog = (page: Page) => page.getByRole("dialog");

/** Waits until a dialog has the focus: it takes it when it opens, and a key before that is lost. */
export const focusInDialog = (page: Page): Promise<void> =>
  page.locator("[role=dialog]:focus, [role=dialog] :focus").first().waitFor();

/** Presses a button that is enabled, and waits for its dialog if the name ends so. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true, disabled: false }).first().click();
  if (name.endsWith("…")) await focusInDialog(page);
}

/** Opens the evidence of the record that the page shows. */
export async function openEvidence(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "For a review", exact: true }).check();
  await page.getByRole("button", { name: "Open evidence" }).click();
  await page.getByText("Opened for review").waitFor();
}
