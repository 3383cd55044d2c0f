import type { Episode } from "../play.ts";
import { callers } from "./callers.ts";
import { crashes } from "./crashes.ts";
import { databaseTrouble } from "./database.ts";
import { decisions } from "./decisions.ts";
import { providerTrouble } from "./provider.ts";

/** What a submission must survive, in the order of its numbers; a number may have several episodes. */
export const rows: Episode[] = [...crashes, ...databaseTrouble, ...providerTrouble, ...decisions, ...callers];
