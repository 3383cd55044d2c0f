import { writeFileSync } from "node:fs";
import { defaultPolicies, rolesWith } from "@cardbridge/domain";
import { createOperations, listProcedures } from "@cardbridge/service";

const declared = listProcedures(createOperations(defaultPolicies)).map(({ id, kind, scopes }) => ({
  id,
  kind: kind === "read" ? "query" : "mutation",
  scopes,
  roles: rolesWith(scopes),
}));
// The router makes these subscriptions from the pages of changes.
const subscriptions = declared
  .filter(({ id }) => id.endsWith(".listChanges"))
  .map((each) => ({ ...each, id: each.id.replace(/listChanges$/, "changes"), kind: "subscription" }));

const types = `/** What a procedure is, and who may call it. */
export interface Procedure {
  kind: "query" | "mutation" | "subscription";
  /** A caller needs one of them. */
  scopes: readonly string[];
  /** The roles of persons with one of these scopes. */
  roles: readonly string[];
}
`;

/** Writes `dist/procedures.js` and its declarations: the procedures as data, for servers that pass calls on. */
export function writeProcedures() {
  const all = [...declared, ...subscriptions];
  const data = Object.fromEntries(all.map(({ id, ...rest }) => [id, rest]));
  const names = all.map(({ id }) => `  | ${JSON.stringify(id)}`).join("\n");
  writeFileSync("dist/procedures.js", `export const procedures = ${JSON.stringify(data, null, 2)};\n`);
  writeFileSync(
    "dist/procedures.d.ts",
    `export type ProcedureName =\n${names};\n\n${types}
/** Every procedure of the service, by its name. */
export declare const procedures: Readonly<Record<ProcedureName, Procedure>>;\n`,
  );
}
