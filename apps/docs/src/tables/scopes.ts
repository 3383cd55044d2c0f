import { restRoutes } from "@cardbridge/api/rest";
import { defaultPolicies, platformScope } from "@cardbridge/domain";
import { createOperations, readFile } from "@cardbridge/service";
import { code, tableOf } from "./rows.ts";

const operations = restRoutes(createOperations(defaultPolicies)).map(({ operation }) => operation);

/** A row of each scope of platforms' keys, with the operations that it allows. */
export function scopes(): string {
  const rows = platformScope.options.map((scope) => [
    code(scope),
    [...operations, readFile]
      .filter((operation) => isOnlyFor(operation.scopes, scope))
      .map(({ summary }) => summary)
      .join(" · "),
  ]);
  return tableOf(["Scope", "Operations"], rows);
}

/** Whether a scope is among those of an operation, and the operation is not open to every key. */
function isOnlyFor(allowed: readonly string[], scope: string): boolean {
  return allowed.includes(scope) && !platformScope.options.every((each) => allowed.includes(each));
}
