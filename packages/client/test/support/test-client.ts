import { type ClientOptions, createClient } from "../../src/index.ts";
import { testFetch } from "./test-fetch.ts";
import { testRuntime } from "./test-runtime.ts";

/** A client whose fetch returns these replies, on a runtime without real delays. */
export function testClient(replies: Parameters<typeof testFetch>, options: Partial<ClientOptions> = {}) {
  const fetching = testFetch(...replies);
  const time = testRuntime();
  const settings = { baseUrl: "https://cards.example.com", apiKey: "cb_test_key", ...options };
  const client = createClient({ ...settings, fetch: fetching.fetch, runtime: time.runtime });
  return { client, requests: fetching.requests, ...time };
}
