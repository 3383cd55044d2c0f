import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures } from "@cardbridge/service";
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import { expect, it } from "vitest";
import { createRouter } from "../../src/trpc/router.ts";

it("serves every operation that keys may run and JSON can carry, two subscriptions, and nothing else", () => {
  const operations = createOperations(defaultPolicies);
  const declared = listProcedures(operations).map(
    ({ id, kind }) => `${kind === "read" ? "query" : "mutation"} ${id}`,
  );
  declared.push("subscription kyc.changes", "subscription records.changes");
  const router: AnyTRPCRouter = createRouter(operations);
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures;
  const served = Object.entries(procedures).map(([id, { _def }]) => `${_def.type} ${id}`);
  expect(served.sort(), "Add it to createRouter in src/trpc/router.ts.").toEqual(declared.sort());
});
