import { operatorScope, role, scopesOfRole } from "@cardbridge/domain";
import { code, tableOf } from "./rows.ts";

/** A row of each scope of operators, with the roles of persons that have it. */
export function roles(): string {
  const names = role.options;
  const rows = operatorScope.options.map((scope) => {
    const marks = names.map((name) =>
      (scopesOfRole[name] as readonly string[]).includes(scope) ? "yes" : "–",
    );
    return [code(scope), ...marks];
  });
  return tableOf(["Scope", ...names.map(code)], rows);
}
