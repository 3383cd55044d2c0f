import type { Page, Route } from "playwright-core";

type Answer = { result?: { data: unknown }; error?: object };
interface Change {
  /** The status of an error, with which the call need not reach the service. */
  status?: number;
  make(real: Answer, input: unknown): Answer;
}

const changesOf = new WeakMap<Page, Map<string, Change>>();

/** Changes what the page gets from a procedure, for states that the real service does not show in a test. */
export function change<Data, Input = unknown>(
  page: Page,
  name: string,
  make: (data: Data, input: Input) => unknown,
): Promise<void> {
  return add(page, name, {
    make: ({ result }, input) => ({ result: { data: make(result?.data as Data, input as Input) } }),
  });
}

/** Refuses a procedure with an error in the shape of the service. */
export function refuse(page: Page, name: string, status: number, code: string, rule?: string): Promise<void> {
  const message = "It is not possible now.";
  const errors = rule === undefined ? [] : [{ field: "", rule, message }];
  const problem = { code, message, requestId: "req_01m8f4k2v7q0c3x9z5b1n8d6ta0", errors };
  const data = { code: "BAD_REQUEST", httpStatus: status, path: name, problem };
  return add(page, name, { status, make: () => ({ error: { message, code: -32_000, data } }) });
}

/** Ends all changes and refusals of a page. */
export function restore(page: Page): void {
  changesOf.get(page)?.clear();
}

async function add(page: Page, name: string, change: Change): Promise<void> {
  const known = changesOf.get(page);
  const changes = known ?? new Map<string, Change>();
  changes.set(name, change);
  if (known) return;
  changesOf.set(page, changes);
  await page.route("**/api/trpc/**", (route) => answer(route, changes));
}

/** Answers a call, or a batch of calls, with the changes of the page. */
async function answer(route: Route, changes: ReadonlyMap<string, Change>): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url());
  const names = pathname.slice("/api/trpc/".length).split(",");
  const made = names.map((name) => changes.get(name));
  if (made.every((change) => change === undefined)) return route.continue();
  const isBatch = searchParams.get("batch") === "1";
  const [alone] = made;
  if (made.length === 1 && alone?.status !== undefined) {
    const refused = alone.make({}, undefined);
    return route.fulfill({ status: alone.status, json: isBatch ? [refused] : refused });
  }
  // The browser's own header, which Playwright leaves out.
  const headers = { ...route.request().headers(), "sec-fetch-site": "same-origin" };
  const response = await route.fetch({ headers });
  const real = [(await response.json()) as Answer | Answer[]].flat();
  const inputs = route.request().postDataJSON() as Record<number, unknown>;
  const answers = real.map((one, index) => made[index]?.make(one, isBatch ? inputs[index] : inputs) ?? one);
  await route.fulfill({ response, json: isBatch ? answers : answers[0] });
}
