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

/** The procedures that the views call. All others are refused, whatever the key and the person's roles allow. */
const allowed = {
  "persons.me": query(),
  "platforms.list": query("ops.platforms"),
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
  "users.find": query("ops.users.read"),
  "users.show": query("ops.users.read"),
  "users.cards": query("ops.users.read"),
  "audit.list": query("ops.audit"),
  "audit.request": query("ops.records.read"),
} as const satisfies Partial<Record<ProcedureName | "records.changes", Procedure>>;

export const procedures: ReadonlyMap<string, Procedure> = new Map(Object.entries<Procedure>(allowed));
