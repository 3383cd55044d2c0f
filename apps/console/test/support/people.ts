import type { Browser, Page } from "playwright-core";

/** Opens a window of a browser of its own. Playwright's own limits would end a slow run: the test's limit does. */
export async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  return page;
}

/** Signs a person of the development issuer in. */
export async function signIn(page: Page, url: string, person: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: person }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
}

/** Everything that a browser shows outside of the page itself, and its complaints. */
export function watch(page: Page) {
  const seen = { urls: [] as string[], titles: [] as string[], faults: [] as string[] };
  page.on("request", (request) => seen.urls.push(request.url(), request.headers().referer ?? ""));
  page.on("framenavigated", (frame) => seen.urls.push(frame.url()));
  page.on("domcontentloaded", async () => void seen.titles.push(await page.title().catch(() => "")));
  page.on("pageerror", (error) => seen.faults.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedScript/.test(message.text())) seen.faults.push(message.text());
  });
  return seen;
}
