import type { RouterInputs } from "@cardbridge/trpc-client";

/** The name of a procedure of the service, such as `records.search`. */
type ProcedureName = {
  [Noun in keyof RouterInputs & string]: `${Noun}.${keyof RouterInputs[Noun] & string}`;
}[keyof RouterInputs & string];

interface Procedure {
  kind: "query" | "mutation" | "subscription";
  /** One of these scopes is needed; none for what every person may call. */
  scopes: readonly string[];
}

const query = (...scopes: string[]): Procedure => ({ kind: "query", scopes });
const mutation = (...scopes: string[]): Procedure => ({ kind: "mutation", scopes });

/** The scopes of the acts that need two persons: each of them reads proposals, and the service checks the kind. */
const deciders = ["ops.records.decide", "ops.users.write", "ops.compliance"];

/** The procedures that the views call. All others are refused, whatever the key and the person's roles allow. */
const allowed = {
  "persons.me": query(),
  "platforms.list": query("ops.platforms"),
  "persons.list": query("ops.persons"),
  "persons.block": mutation("ops.persons"),
  "platforms.create": mutation("ops.platforms"),
  "platforms.rename": mutation("ops.platforms"),
  "keys.list": query("ops.keys"),
  "keys.create": mutation("ops.keys"),
  "keys.rotate": mutation("ops.keys"),
  "keys.revoke": mutation("ops.keys"),
  "service.status": query("ops.records.read"),
  "processes.list": query("ops.platforms"),
  "encryptionKeys.status": query("ops.encryption"),
  "pauses.list": query("ops.records.read"),
  "pauses.pauseProvider": mutation("ops.pauses"),
  "pauses.pausePlatform": mutation("ops.pauses"),
  "pauses.resume": mutation("ops.pauses"),
  "webhooks.endpointHealth": query("ops.records.read"),
  "webhooks.searchDeliveries": query("ops.webhooks"),
  "webhooks.redeliverMany": mutation("ops.webhooks"),
  "webhooks.list": query("webhooks:read", "ops.webhooks"),
  "webhooks.delivery": query("webhooks:read", "ops.webhooks"),
  "webhooks.create": mutation("webhooks:write", "ops.webhooks"),
  "webhooks.update": mutation("webhooks:write", "ops.webhooks"),
  "webhooks.delete": mutation("webhooks:write", "ops.webhooks"),
  "webhooks.rotateSecret": mutation("webhooks:write", "ops.webhooks"),
  "webhooks.test": mutation("webhooks:write", "ops.webhooks"),
  "webhooks.redeliver": mutation("webhooks:write", "ops.webhooks"),
  "records.requeueMany": mutation("ops.records.act"),
  "records.search": query("ops.records.read"),
  "records.counts": query("ops.records.read"),
  "records.get": query("ops.records.read"),
  "records.state": query("ops.records.read"),
  "records.attempts": query("ops.records.read"),
  "records.notes": query("ops.records.read"),
  "records.changes": { kind: "subscription", scopes: ["ops.records.read"] },
  "records.addNote": mutation("ops.records.act"),
  "records.assign": mutation("ops.records.act"),
  "records.refresh": mutation("ops.records.act"),
  "records.resend": mutation("ops.records.act"),
  "records.requeue": mutation("ops.records.act"),
  "records.submission": mutation("ops.evidence"),
  "records.submissionFile": query("ops.evidence"),
  "records.restrictedReasons": mutation("ops.compliance"),
  "records.resolve": mutation("ops.records.decide"),
  "proposals.list": query(...deciders),
  "proposals.get": query(...deciders),
  "proposals.confirm": mutation(...deciders),
  "proposals.withdraw": mutation(...deciders),
  "users.find": query("ops.users.read"),
  "users.show": query("ops.users.read"),
  "users.cards": query("ops.users.read"),
  "users.identifiers": mutation("ops.evidence"),
  "users.exportPart": mutation("ops.evidence"),
  "users.relink": mutation("ops.users.write"),
  "users.erase": mutation("ops.users.write"),
  "holds.list": query("ops.compliance"),
  "holds.place": mutation("ops.compliance"),
  "holds.lift": mutation("ops.compliance"),
  "audit.list": query("ops.audit"),
  "audit.verify": query("ops.audit"),
  "audit.caseFile": query("ops.audit"),
  "audit.request": query("ops.records.read"),
} as const satisfies Partial<Record<ProcedureName | "records.changes", Procedure>>;

export const procedures: ReadonlyMap<string, Procedure> = new Map(Object.entries<Procedure>(allowed));
