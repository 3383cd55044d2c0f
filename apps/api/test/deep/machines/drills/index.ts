import type { Drill } from "../drill.ts";
import { failover } from "./failover.ts";
import { freezes } from "./freeze.ts";
import { sharedRate } from "./rate.ts";
import { switchover } from "./switchover.ts";
import { upgrade } from "./upgrade.ts";

export const drills: Drill[] = [failover, ...freezes, switchover, upgrade, sharedRate];
