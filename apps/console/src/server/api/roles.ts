/** The roles with each scope, so that a refusal says who may do what the person may not. The service decides. */
const rolesWithScope: Readonly<Record<string, readonly string[]>> = {
  "ops.records.read": ["viewer", "support", "compliance", "operator", "administrator"],
  "ops.records.act": ["support", "compliance", "operator"],
  "ops.records.decide": ["compliance"],
  "ops.evidence": ["compliance"],
  "ops.compliance": ["compliance"],
  "ops.users.write": ["compliance"],
  "ops.users.read": ["support", "compliance", "operator", "administrator"],
  "ops.platforms": ["operator", "administrator"],
  "ops.audit": ["compliance", "administrator"],
  "ops.keys": ["administrator"],
  "ops.webhooks": ["operator", "administrator"],
  "ops.persons": ["administrator"],
  "ops.encryption": ["operator"],
  "ops.pauses": ["operator"],
};

/** The roles that have one of these scopes. */
export function rolesWith(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => rolesWithScope[scope] ?? []))];
}
