import { stepFailPoints } from "../program/points.ts";
import { callers } from "./callers.ts";
import { crashes } from "./crashes.ts";
import { databaseFaults } from "./database-faults.ts";
import { decisions } from "./decisions.ts";
import { deployments } from "./deployments.ts";
import { documentRequests } from "./document-requests.ts";
import type { Episode } from "./episode.ts";
import { failPointEpisode } from "./fail-points.ts";
import { freezes } from "./freezes.ts";
import { movedEmails } from "./moved-emails.ts";
import { noSlot } from "./no-slot.ts";
import { providerAnswers } from "./provider-answers.ts";
import { providerLies } from "./provider-lies.ts";
import { providerUnreachable } from "./provider-unreachable.ts";
import { renewals } from "./renewals.ts";
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
  ...documentRequests,
  ...renewals,
].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));

/** The faults of a submission. The other faults are about callers, events and platforms, which have no steps. */
const numbersOfSteps = [...range(1, 9), 11, 13, 14, ...range(16, 23)];

/** For a provider with two steps: all episodes with a group, and one without a group for each number. */
export const twoStepEpisodes: Episode[] = [
  ...numbersOfSteps.flatMap((number) => {
    const all = numberedEpisodes.filter((episode) => episode.number === number);
    const single = all.find(({ group }) => group === undefined);
    return all.filter((episode) => episode.group !== undefined || episode === single);
  }),
  ...stepFailPoints.map((point) => failPointEpisode(point, "kill")),
];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
