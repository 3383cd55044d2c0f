import { afterAll, beforeAll, expect, it } from "vitest";
import { errorMapping } from "../../src/errors/mapping.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { checkAnswers } from "./check-answers.ts";
import { exchange } from "./exchange.ts";
import { wholeMessage } from "./message.ts";

/** Every path parameter of every route with every invalid text. New routes are included automatically. */

/** Texts of one path segment, as a caller writes them. The parameter's schema refuses them. */
const segments = {
  NUL: "a%00b",
  "a lone surrogate": "%ED%A0%80",
  "invalid UTF-8": "%ff%fe",
  "half an escape": "%E0%A4%A",
  "an invalid escape": "%zz",
  "control characters": "%0d%0aset-cookie:%20a=b",
  "an encoded slash": "a%2Fb",
  "an encoded slash in lower case": "..%2f..%2fetc%2fpasswd",
  "an encoded backslash": "a%5Cb",
  "an encoded question mark": "a%3Fb=c",
  "three dots": "...",
  spaces: "%20%20",
  "a semicolon": ";a=b",
  "a star": "*",
  "a name of the prototype": "__proto__%2e",
  "a quote": "%27%20or%201=1%20--",
  "a value that is too long": "a".repeat(4_000),
  "escapes that are too long": "%F0%9F%92%B3".repeat(600),
};

/** Texts that are not one segment: the target then has no parameter, or is another route. */
const others = {
  nothing: "",
  "a dot": ".",
  "two dots": "..",
  "two encoded dots": "%2E%2e",
  "a slash": "a/b",
  "two slashes": "a//b",
  "a backslash": "a\\b",
};

const { app, gates } = fakeApp();
const found = app.routes
  .filter(({ method, path }) => method !== "ALL" && path.includes(":"))
  .map(({ method, path }) => `${method} ${path}`);
const routes = [...new Set(found)];
const cells = routes.flatMap((route) =>
  [...route.matchAll(/:(\w+)/g)].map(([parameter, name = ""]) => ({ route, parameter, name })),
);

/** The error of each parameter. Add new parameters here. Every slug of a guide is redirected, and every preflight succeeds. */
const refusals: Record<string, keyof typeof errorMapping | undefined> = {
  cardId: "INVALID_INPUT",
  deliveryId: "INVALID_INPUT",
  endpointId: "INVALID_INPUT",
  fileId: "INVALID_INPUT",
  kycRecordId: "INVALID_INPUT",
  slug: undefined,
  token: "UNAUTHENTICATED",
};

let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
});
afterAll(() => server.close(0));

async function answerTo(route: string, parameter: string, text: string) {
  const [method = "", path = ""] = route.split(" ");
  const message = wholeMessage({
    operation: route,
    method,
    target: path.replace(parameter, text),
    headers: [
      ["Authorization", `Bearer ${fullKey}`],
      ["Content-Type", "application/json"],
    ],
    body: Buffer.from(method === "GET" ? "" : "{}"),
    hasKey: true,
  });
  const answers = await exchange(server.url, message);
  checkAnswers(message, answers);
  const [{ status, body } = { status: 0, body: "{}" }] = answers;
  return { status, code: status < 400 ? "" : JSON.parse(body).code };
}

it("has an error for every path parameter", () => {
  expect([...new Set(cells.map(({ name }) => name))].sort()).toEqual(Object.keys(refusals));
});

it.each(cells)(
  "$parameter of $route gives one result for every text of a segment",
  async ({ route, parameter, name }) => {
    const isPreflight = route.startsWith("OPTIONS ");
    const code = isPreflight ? undefined : refusals[name];
    const got: Record<string, unknown> = {};
    for (const [what, text] of Object.entries(segments)) {
      const answer = await answerTo(route, parameter, text);
      // The server can reject a target that is not in normal form before routing.
      if (answer.code !== "MALFORMED_REQUEST") got[what] = answer;
    }
    const wanted = code
      ? { status: errorMapping[code].status, code }
      : { status: isPreflight ? 204 : 308, code: "" };
    expect(got).toEqual(Object.fromEntries(Object.keys(got).map((what) => [what, wanted])));
  },
);

it.each(cells)("$route does not accept a text that is not a $parameter", async ({ route, parameter }) => {
  for (const [what, text] of Object.entries(others)) {
    const { status } = await answerTo(route, parameter, text);
    // The target /files/.. is the page that redirects to the docs.
    expect([what, status]).toEqual([what, expect.toSatisfy((is) => is === 302 || (is >= 400 && is < 500))]);
  }
});
