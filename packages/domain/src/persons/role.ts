import * as z from "zod";
import type { OperatorScope, Scope } from "../keys/scopes.ts";

const viewer = ["ops.records.read"] as const;
const support = [...viewer, "ops.records.act", "ops.users.read"] as const;

/** The roles of persons, each with the scopes that it allows (gap G37). */
export const scopesOfRole = {
  viewer,
  support,
  compliance: [
    ...support,
    "ops.records.decide",
    "ops.evidence",
    "ops.compliance",
    "ops.users.write",
    "ops.audit",
  ],
  operator: [...support, "ops.webhooks", "ops.platforms", "ops.encryption", "ops.pauses"],
  administrator: [
    ...viewer,
    "ops.users.read",
    "ops.platforms",
    "ops.keys",
    "ops.webhooks",
    "ops.audit",
    "ops.persons",
  ],
} as const satisfies Record<string, readonly OperatorScope[]>;

export const role = z.enum(Object.keys(scopesOfRole) as (keyof typeof scopesOfRole)[]);
export type Role = z.output<typeof role>;

/** The scopes that a person with these roles has. */
export function scopesOfRoles(roles: readonly Role[]): Set<OperatorScope> {
  return new Set(roles.flatMap((name) => scopesOfRole[name]));
}

/** The roles that have at least one of these scopes. */
export function rolesWith(scopes: readonly Scope[]): Role[] {
  return role.options.filter((name) => scopesOfRole[name].some((scope) => scopes.includes(scope)));
}
