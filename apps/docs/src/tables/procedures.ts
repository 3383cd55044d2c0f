import { createRouter } from "@cardbridge/api/router";
import { defaultPolicies, isOperatorScope, platformScope } from "@cardbridge/domain";
import { createOperations, listProcedures, type Operation } from "@cardbridge/service";
import { code, codes, tableOf } from "./rows.ts";

interface Procedure {
  id: string;
  kind: string;
  /** The operation that it runs, whose scopes it needs. */
  operation: Operation;
  summary: string;
}

type ProcedureTypes = Record<string, { _def: { type: string } }>;

const operations = createOperations(defaultPolicies);
const router = createRouter(operations);
const declared: Procedure[] = listProcedures(operations).map((operation) => ({ ...operation, operation }));

/** A row of each procedure about one platform's data, which platforms' own keys may call too. */
export const platformProcedures = (): string => table(({ operation }) => operation.platform);

/** A row of each procedure for operators. */
export const operatorProcedures = (): string => table(({ operation }) => !operation.platform);

/** A list of the procedures for which a person must have signed in within 15 minutes, at least for some inputs. */
export const recentSignIns = (): string => {
  const ids = declared.filter(({ operation }) => operation.recentSignIn).map(({ id }) => id);
  return `${codes(ids)}.`;
};

function table(isShown: (procedure: Procedure) => boolean): string {
  const rows = [...declared, ...subscriptions()]
    .filter(isShown)
    .map(({ id, kind, operation, summary }) => [code(id), kind, scopesOf(operation), summary]);
  return tableOf(["Procedure", "Kind", "Scope of the key", "What it does"], rows);
}

/** The subscriptions of the router, each of which sends the pages of the noun's `listChanges`. */
function subscriptions(): Procedure[] {
  const ids = Object.entries(router._def.procedures as unknown as ProcedureTypes)
    .filter(([, { _def }]) => _def.type === "subscription")
    .map(([id]) => id);
  return ids.map((id) => {
    const operation = declared.find((each) => each.id === id.replace(/\.\w+$/, ".listChanges"))?.operation;
    if (!operation) throw new Error(`No operation lists what ${id} sends`);
    return { id, kind: "subscription", operation, summary: `Receive what \`${operation.id}\` returns` };
  });
}

function scopesOf({ scopes }: Operation): string {
  if (platformScope.options.every((each) => scopes.includes(each))) return "any of a platform";
  return [...scopes]
    .sort((a, b) => Number(isOperatorScope(a)) - Number(isOperatorScope(b)))
    .map(code)
    .join(" or ");
}
