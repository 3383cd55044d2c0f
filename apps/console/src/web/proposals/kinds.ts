/** The scope that each kind of proposal needs, to propose it and to confirm it. The service decides. */
export const scopeOfKind = {
  approve: "ops.records.decide",
  relink: "ops.users.write",
  erase: "ops.users.write",
  liftHold: "ops.compliance",
} as const;

/** One of these scopes lets a person read proposals: those who decide about one kind read all. */
export const proposalScopes = Object.values(scopeOfKind);

export type Decision = "confirm" | "withdraw";
