import type { Cluster } from "../cluster/cluster.ts";
import { duplicatedAnswers, lostAnswers } from "./answers.ts";
import { ambiguous, duplicated, lost } from "./delivery.ts";
import { wrongEmails } from "./emails.ts";
import { type Allowed, readFacts } from "./facts.ts";
import { loggedPersonalData, sentMemberIds } from "./privacy.ts";
import { wrongReasons } from "./reasons.ts";
import { undecided } from "./resolution.ts";
import { wrongSteps } from "./steps.ts";
import { wrongAudit, wrongHistory } from "./trail.ts";
import { wrongWebhooks } from "./webhooks.ts";

/**
 * Compares the clients' replies, the database and the provider's ledger. Returns every violation as a sentence that
 * begins with the number of its invariant (docs/contribute/reliability.md).
 */
export async function checkInvariants(cluster: Cluster, allowed: Allowed = {}): Promise<string[]> {
  const facts = await readFacts(cluster, allowed);
  return [
    ...lost(cluster, facts),
    ...duplicated(facts),
    ...duplicatedAnswers(cluster, facts),
    ...lostAnswers(cluster, facts),
    ...undecided(facts),
    ...wrongReasons(cluster, facts),
    ...ambiguous(cluster, facts),
    ...sentMemberIds(cluster),
    ...(await wrongHistory(cluster)),
    ...loggedPersonalData(cluster),
    ...(await wrongAudit(cluster)),
    ...(await wrongEmails(cluster, facts)),
    ...(await wrongWebhooks(cluster)),
    ...(await wrongSteps(cluster, facts)),
  ];
}
