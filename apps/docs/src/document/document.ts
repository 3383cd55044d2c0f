import { createDocument } from "@cardbridge/api/openapi";
import { restRoutes } from "@cardbridge/api/rest";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";

/** The address of a development service. The service replaces it by its own in every page. */
export const developmentUrl = "http://127.0.0.1:3000";

/** The OpenAPI document of a development service. */
export const document = createDocument(restRoutes(createOperations(defaultPolicies)), {
  publicUrl: developmentUrl,
  environment: "test",
});
