import { callers } from "./callers.ts";
import { crashes } from "./crashes.ts";
import { databaseFaults } from "./database-faults.ts";
import { decisions } from "./decisions.ts";
import { deployments } from "./deployments.ts";
import type { Episode } from "./episode.ts";
import { freezes } from "./freezes.ts";
import { movedEmails } from "./moved-emails.ts";
import { noSlot } from "./no-slot.ts";
import { providerAnswers } from "./provider-answers.ts";
import { providerLies } from "./provider-lies.ts";
import { providerUnreachable } from "./provider-unreachable.ts";
import { rateLimits } from "./retry-after.ts";
import { shutdowns } from "./shutdowns.ts";
import { webhooks } from "./webhooks.ts";

/** All faults, in the order of their numbers. A number can have several episodes. */
export const numberedEpisodes: Episode[] = [
  ...crashes,
  ...freezes,
  ...shutdowns,
  ...databaseFaults,
  ...providerUnreachable,
  ...providerAnswers,
  ...rateLimits,
  ...providerLies,
  ...decisions,
  ...callers,
  ...deployments,
  ...movedEmails,
  ...webhooks,
  ...noSlot,
].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
