import type { Drill } from "../drill.ts";
import { failover } from "./failover.ts";
import { freeze } from "./freeze.ts";
import { switchover } from "./switchover.ts";

export const drills: Drill[] = [failover, freeze, switchover];
