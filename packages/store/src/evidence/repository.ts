import type { Evidence } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { notBuilt } from "../not-built.ts";

/** See the port for the contract. */
export function evidenceRepository(_database: Database): Evidence {
  return notBuilt();
}
