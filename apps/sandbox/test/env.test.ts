import { expect, test } from "vitest";
import { readEnv } from "../src/env.ts";

const SANDBOX_EVENTS_URL = "http://127.0.0.1:3000/events";
const SANDBOX_EVENTS_SECRET = "whsec_c2VjcmV0";

test("reads the event target from the URL and the secret", () => {
  const events = { url: SANDBOX_EVENTS_URL, secret: SANDBOX_EVENTS_SECRET };
  expect(readEnv({ SANDBOX_EVENTS_URL, SANDBOX_EVENTS_SECRET }).events).toEqual(events);
  expect(readEnv({}).events).toBeUndefined();
  expect(readEnv({ SANDBOX_EVENTS_URL: "", SANDBOX_EVENTS_SECRET: "" }).events).toBeUndefined();
});

test("reads the URL prefixes of fetched files from a comma-separated list", () => {
  expect(readEnv({}).fetchUnder).toEqual([]);
  const SANDBOX_FETCH_UNDER = "http://127.0.0.1:3000, https://example.com/files,";
  expect(readEnv({ SANDBOX_FETCH_UNDER }).fetchUnder).toEqual([
    "http://127.0.0.1:3000",
    "https://example.com/files",
  ]);
});

test.each([
  [{ SANDBOX_EVENTS_URL }, /both or neither[\s\S]*SANDBOX_EVENTS_SECRET/],
  [{ SANDBOX_EVENTS_SECRET }, /both or neither[\s\S]*SANDBOX_EVENTS_SECRET/],
  [{ SANDBOX_EVENTS_URL: "ftp://example.com", SANDBOX_EVENTS_SECRET }, /SANDBOX_EVENTS_URL/],
  [{ SANDBOX_EVENTS_URL, SANDBOX_EVENTS_SECRET: "whsec_" }, /SANDBOX_EVENTS_SECRET/],
  [{ SANDBOX_FETCH_UNDER: "http://127.0.0.1,gateway" }, /SANDBOX_FETCH_UNDER/],
])("rejects %j", (environment, message) => {
  expect(() => readEnv(environment)).toThrow(message);
});
