import { startTestServer, type TestServer } from "@cardbridge/service/database/testing";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestServer;
  }
}

/** Starts one PostgreSQL for the whole run. Each test file creates its own database from a template. */
export default async function setup(project: TestProject) {
  const { info, stop } = await startTestServer(process.env.CARDBRIDGE_TEST_DATABASES);
  project.provide("postgres", info);
  return stop;
}
