import type { Me } from "../api/shapes.ts";

/** The scope that each kind of proposal needs, to propose it and to confirm it. The service decides. */
export const scopeOfKind = {
  approve: "ops.records.decide",
  relink: "ops.users.write",
  erase: "ops.users.write",
  liftHold: "ops.compliance",
} as const;

export type OperatorScope = Me["scopes"][number];

export const has = (me: Me | undefined, scope: OperatorScope): boolean => me?.scopes.includes(scope) ?? false;

/** Whether the person reads proposals: those who decide about one kind read all. */
export const readsProposals = (me: Me | undefined): boolean =>
  Object.values(scopeOfKind).some((scope) => has(me, scope));
