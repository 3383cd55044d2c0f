import { readFileSync } from "node:fs";
import { rolesWith as declaredRoles, defaultPolicies, type Scope } from "@cardbridge/domain";
import { createOperations, listProcedures } from "@cardbridge/service";
import { expect, it } from "vitest";
import { procedures } from "../src/server/api/procedures.ts";
import { rolesWith } from "../src/server/api/roles.ts";

const operations = new Map(listProcedures(createOperations(defaultPolicies)).map((each) => [each.id, each]));

/** The subscription is the router's, and reads the pages of records.listChanges. */
const declarationOf = (name: string) =>
  operations.get(name === "records.changes" ? "records.listChanges" : name);

it.each([...procedures].filter(([name]) => name !== "persons.me"))(
  "%s has the kind and the scopes of the service's declaration",
  (name, { kind, scopes }) => {
    const declared = declarationOf(name);
    expect(declared?.actors).toContain("internal");
    expect(scopes).toEqual(declared?.scopes);
    expect(kind).toBe(
      name === "records.changes" ? "subscription" : declared?.kind === "read" ? "query" : "mutation",
    );
  },
);

it("names the roles that the service gives each scope", () => {
  for (const { scopes } of procedures.values()) {
    expect(rolesWith(scopes).sort()).toEqual(declaredRoles(scopes as Scope[]).sort());
  }
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
