import { failPoints } from "../program/points.ts";
import { callers } from "./callers.ts";
import { databaseFaults } from "./database-faults.ts";
import { deployments } from "./deployments.ts";
import { endedProcesses } from "./ended-processes.ts";
import type { Episode } from "./episode.ts";
import { failPointEpisode } from "./fail-points.ts";
import { freezes } from "./freezes.ts";
import { movedEmails } from "./moved-emails.ts";
import { providerFailures } from "./provider-failures.ts";
import { webhooks } from "./webhooks.ts";

/** The faults that are no fail-point, in the order of their numbers. A number can have several episodes. */
export const numberedEpisodes: Episode[] = [
  ...endedProcesses,
  ...freezes,
  ...databaseFaults,
  ...providerFailures,
  ...callers,
  ...deployments,
  ...movedEmails,
  ...webhooks,
].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));

/** A kill at each fail-point. */
export const kills = failPoints.map((point) => failPointEpisode(point, "kill"));
