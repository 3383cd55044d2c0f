import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { createDocument } from "../../src/http/openapi/document.ts";
import { restRoutes } from "../../src/http/rest/routes.ts";

/** The rule ids that the OpenAPI document names. */
export function publishedRuleIds(): string[] {
  const routes = restRoutes(createOperations(defaultPolicies));
  const document = JSON.stringify(
    createDocument(routes, { publicUrl: "https://cards.cardbridge.test", environment: "test" }),
  );
  const [, known = "[]"] = /"rule":\{[^}]*"x-known-values":(\[[^\]]*\])/.exec(document) ?? [];
  return JSON.parse(known);
}
