import type { Proposals } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { notBuilt } from "../not-built.ts";

/** See the port for the contract. */
export function proposalsRepository(_database: Database): Proposals {
  return notBuilt();
}
