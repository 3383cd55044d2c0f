import * as z from "zod";

/** The scopes of platforms' keys. */
export const platformScope = z.enum([
  "cards:read",
  "kyc:write",
  "kyc:read",
  "files:write",
  "users:write",
  "webhooks:read",
  "webhooks:write",
  "sandbox:act",
]);

/** The scopes of operators, which only keys of internal apps can have. Each role of persons has some of them. */
export const operatorScope = z.enum([
  "ops.records.read",
  "ops.records.act",
  "ops.records.decide",
  "ops.evidence",
  "ops.compliance",
  "ops.users.read",
  "ops.users.write",
  "ops.platforms",
  "ops.keys",
  "ops.webhooks",
  "ops.audit",
  "ops.encryption",
  "ops.pauses",
  "ops.persons",
]);
export type OperatorScope = z.output<typeof operatorScope>;

/** All scopes. */
export const scope = z.enum([...platformScope.options, ...operatorScope.options]);
export type Scope = z.output<typeof scope>;

export const isOperatorScope = (name: unknown): name is OperatorScope =>
  operatorScope.safeParse(name).success;
