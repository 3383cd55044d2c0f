import { createRouter } from "@cardbridge/api/router";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures, type Operation } from "@cardbridge/service";
import { code, codes, tableOf } from "./rows.ts";

interface Procedure {
  id: string;
  /** The operation that it runs, whose scopes it needs. */
  operation: Operation;
}

type ProcedureTypes = Record<string, { _def: { type: string } }>;

const operations = createOperations(defaultPolicies);
const router = createRouter(operations);
const declared: Procedure[] = listProcedures(operations).map((operation) => ({ ...operation, operation }));

/** A row of each scope, or choice of scopes, with the operators' procedures that it allows. */
export function operatorProcedures(): string {
  const shown = [...declared, ...subscriptions()].filter(({ operation }) => !operation.platform);
  const byScopes = Object.groupBy(shown, ({ operation }) => operation.scopes.map(code).join(" or "));
  const rows = Object.entries(byScopes).map(([scopes, procedures = []]) => [
    scopes,
    codes(procedures.map(({ id }) => id)),
  ]);
  return tableOf(["Scope", "Procedures"], rows.sort());
}

/** A list of the procedures for which a person must have signed in within 15 minutes, at least for some inputs. */
export const recentSignIns = (): string => {
  const ids = declared.filter(({ operation }) => operation.recentSignIn).map(({ id }) => id);
  return `${codes(ids)}.`;
};

/** The subscriptions of the router, each of which sends the pages of the noun's `listChanges`. */
function subscriptions(): Procedure[] {
  const ids = Object.entries(router._def.procedures as unknown as ProcedureTypes)
    .filter(([, { _def }]) => _def.type === "subscription")
    .map(([id]) => id);
  return ids.map((id) => {
    const operation = declared.find((each) => each.id === id.replace(/\.\w+$/, ".listChanges"))?.operation;
    if (!operation) throw new Error(`No operation lists what ${id} sends`);
    return { id, operation };
  });
}
