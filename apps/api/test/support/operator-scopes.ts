import { operatorScope, type Scope } from "@cardbridge/domain";

/** All scopes of operators for a key that calls without a person. */
export const operatorScopes: Scope[] = operatorScope.options.filter((name) => name !== "ops.persons");
