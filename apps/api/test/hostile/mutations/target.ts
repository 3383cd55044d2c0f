import fc from "fast-check";
import type { Mutation } from "../message.ts";
import { nastyText } from "../nasty-text.ts";
import { percent } from "../texts.ts";

const at = (change: (path: string, query: string) => string): Mutation => {
  return (message) => {
    const [path = "", ...query] = message.target.split("?");
    return { ...message, target: change(path, query.length > 0 ? `?${query.join("?")}` : "") };
  };
};
const inPath = (change: (path: string) => string) => at((path, query) => change(path) + query);
const inQuery = (change: (query: string) => string) => at((path, query) => path + change(query || "?"));

const spellings = [
  inPath((path) => `/${path}`),
  inPath((path) => `${path}/`),
  inPath((path) => path.toUpperCase()),
  inPath((path) => path.replace(/\/(?=[^/]*$)/, "%2f")),
  inPath((path) => path.replace(/\/(?=[^/]*$)/, "\\")),
  inPath((path) => path.replace(/\/(?=[^/]*$)/, "/x/../")),
  inPath((path) => path.replace(/\/(?=[^/]*$)/, "/%2e%2e/")),
  inPath((path) => `/docs/%2e%2e/%2e%2e${path}`),
  inPath((path) => `/health/live/..;${path}`),
  inPath((path) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)),
  inPath((path) => path.replaceAll(/[a-z]/g, (letter) => `%25${letter.charCodeAt(0).toString(16)}`)),
  inPath((path) => path.replace("v1", "v2")),
  inPath((path) => `${path};jsessionid=canary`),
  inPath((path) => `${path}%00`),
  inPath((path) => `${path},${path.split("/").at(-1)}`),
  inPath((path) => `${path}%2C${path.split("/").at(-1)}`),
  inPath((path) => `${path},canary,kyc.submit`),
  inPath((path) => path + ",x".repeat(25)),
  inPath((path) => `http://127.0.0.1${path}`),
  inPath((path) => path.slice(1)),
  inPath(() => "*"),
  inQuery((query) => `${query}&${query.slice(1)}`),
  inQuery((query) => query.replaceAll("=", "[]=")),
  inQuery((query) => query.replaceAll("%", "%25")),
  inQuery((query) => query.replaceAll("%", "")),
  inQuery((query) => `${query}&batch=1`),
  inQuery((query) => query.replace("batch=1", "b%61tch=1")),
  inQuery((query) => `${query}&connectionParams=%7B%7D`),
  inQuery((query) => `${query}&__proto__[x]=canary&constructor=canary`),
  inQuery((query) => `${query}#canary`),
  inQuery((query) => `${query}${"&a=b".repeat(2_500)}`),
  inQuery((query) => `${query}&page=1&page=1&pageSize=-1`),
];

export const targetMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...spellings) },
  // Encoded texts reach the app; most raw texts fail in the parser.
  {
    weight: 2,
    arbitrary: nastyText.map((text) => inPath((path) => `${path}/${percent(text)}`)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom("memberId", "email", "status", "page", "input", "canary"), nastyText)
      .map(([name, text]) => inQuery((query) => `${query}&${name}=${percent(text)}`)),
  },
  { weight: 1, arbitrary: nastyText.map(raw) },
);

/** A line break ends the request's head early, so the end of the body is ambiguous. */
function raw(text: string): Mutation {
  return (message) => ({
    ...inPath((path) => path + text)(message),
    isWhole: !/[\r\n ]/.test(text) && message.isWhole,
  });
}
