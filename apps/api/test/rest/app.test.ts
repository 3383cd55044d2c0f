import { defaultPolicies, type Scope } from "@cardbridge/domain";
import { createOperations, mapOperations } from "@cardbridge/operations";
import { expect, it } from "vitest";
import { createRestApp } from "../../src/rest/app.ts";
import { restRoutes } from "../../src/rest/routes.ts";
import { fakePorts } from "../support/fakes.ts";

const caller = {
  kind: "platform",
  actor: "key_1",
  platformId: "plt_1",
  scopes: new Set<Scope>(),
} as const;

it.each([
  ["/cards/list", "cards.list"],
  ["/cards/card_1", "cards.get"],
  ["/users/kyc/requirements", "kyc.requirements"],
  ["/users/kyc/kyc_1", "kyc.history"],
])("%s is handled by %s, for any order of the operations", async (path, id) => {
  const operations = mapOperations(createOperations(defaultPolicies), (operation) => ({
    ...operation,
    execute: async () => ({ data: { id: operation.id } }),
  }));
  const routes = restRoutes(operations);
  for (const listed of [routes, routes.toReversed()]) {
    const app = createRestApp({
      routes: listed,
      ports: fakePorts().ports,
      readForm: (_c, next) => next(),
    });
    expect(await (await app.request(path, {}, { admission: { caller } })).json()).toEqual({ id });
  }
});
