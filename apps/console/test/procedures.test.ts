import { readFileSync } from "node:fs";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures } from "@cardbridge/service";
import { expect, it } from "vitest";
import { procedures } from "../src/server/api/procedures.ts";

it("have the kind of the service's declarations", () => {
  expect(procedures.get("records.resolve")?.kind).toBe("mutation");
  expect(procedures.get("records.changes")?.kind).toBe("subscription");
});

it.each([...procedures.keys()])("%s is for internal apps", (name) => {
  const id = name === "records.changes" ? "records.listChanges" : name;
  const declared = listProcedures(createOperations(defaultPolicies)).find((each) => each.id === id);
  expect(declared?.actors).toContain("internal");
});

it("has no procedure that imports or exports users in files, or changes encryption", () => {
  const refused = ["users.import", "users.export", "encryptionKeys.rewrap", "audit.drop"];
  for (const name of refused) expect(procedures.has(name)).toBe(false);
});

it("needs the scopes that the page gives the console's key", () => {
  const page = readFileSync(new URL("../../../docs/operate/console.md", import.meta.url), "utf8");
  const given = page.match(/--scopes (ops\.\S+)/)?.[1]?.split(",");
  // The key alone reads nothing, and compliance reads restricted notes.
  const needed = [
    "ops.persons",
    "ops.compliance",
    ...[...procedures.values()].flatMap(({ scopes }) => scopes),
  ].filter((scope) => scope.startsWith("ops."));
  expect(new Set(given)).toEqual(new Set(needed));
});
