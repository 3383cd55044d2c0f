import type { Pauses } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { notBuilt } from "../not-built.ts";

/** See the port for the contract. */
export function pausesRepository(_database: Database): Pauses {
  return notBuilt();
}
