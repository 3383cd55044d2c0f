import { startTestServer, type TestServer } from "@cardbridge/store/testing";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestServer;
  }
}

/** One real PostgreSQL for the whole run; each test file makes its own database of a template. */
export default async function setup(project: TestProject) {
  const { info, stop } = await startTestServer();
  project.provide("postgres", info);
  return stop;
}
