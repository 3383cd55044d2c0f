import type { Drill } from "../drill.ts";
import { cells } from "./cells.ts";
import { failover } from "./failover.ts";
import { freezes } from "./freeze.ts";
import { pgbouncer } from "./pgbouncer.ts";
import { restore } from "./restore.ts";
import { upgrade } from "./upgrade.ts";

export const drills: Drill[] = [...pgbouncer, failover, ...freezes, upgrade, restore, cells];
