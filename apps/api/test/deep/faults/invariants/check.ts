import type { Cluster } from "../cluster/cluster.ts";
import { wrongAnswers } from "./answers.ts";
import { ambiguous, duplicated, lost } from "./delivery.ts";
import { wrongEmails } from "./emails.ts";
import { type Allowed, readFacts } from "./facts.ts";
import { loggedPersonalData, sentMemberIds } from "./privacy.ts";
import { undecided } from "./resolution.ts";
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
    ...wrongAnswers(cluster, facts),
    ...undecided(facts),
    ...ambiguous(cluster, facts),
    ...sentMemberIds(cluster),
    ...(await wrongHistory(cluster)),
    ...loggedPersonalData(cluster),
    ...(await wrongAudit(cluster)),
    ...(await wrongEmails(cluster, facts)),
    ...(await wrongWebhooks(cluster)),
  ];
}
