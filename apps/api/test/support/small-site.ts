import { Failure } from "@cardbridge/domain";
import type { Site } from "../../src/http/docs/site.ts";
import { constantContent } from "../../src/http/middleware/constant-content.ts";

/** A documentation of one page. */
export const smallSite: Site = {
  isBuilt: async () => true,
  current: async () => ({
    files: new Map([["", constantContent("text/html; charset=utf-8", async () => "<h1>Overview</h1>")]]),
    missingPage: async () => "<h1>No such page</h1>",
    searchIndex: async () => {
      throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 3 });
    },
    policy: "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
  }),
};
