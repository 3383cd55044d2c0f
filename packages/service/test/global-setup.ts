import type { TestProject } from "vitest/node";
import { startTestServer, type TestServer } from "../src/testing/index.ts";

declare module "vitest" {
  interface ProvidedContext {
    server: TestServer;
  }
}

/** Starts one PostgreSQL server for the whole run, unless CARDBRIDGE_TEST_SERVER describes a running one, in JSON. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { CARDBRIDGE_TEST_SERVER: running } = process.env;
  if (running !== undefined) {
    project.provide("server", JSON.parse(running));
    return async () => {};
  }
  const { info, stop } = await startTestServer(process.env.CARDBRIDGE_TEST_DATABASES);
  project.provide("server", info);
  return stop;
}
