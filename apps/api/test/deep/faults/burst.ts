import type { Submission } from "./clients/marked-submission.ts";
import { isAcknowledged } from "./clients/submit.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Load } from "./episodes/episode.ts";

/** Lets clients act at once, each with a submission of its own. A client that is not acknowledged may retry. */
export async function burst(
  cluster: Cluster,
  { retries, size }: Load,
  act: (submission: Submission) => Promise<unknown>,
  tag?: string,
): Promise<void> {
  const submissions = Array.from({ length: size }, () => cluster.newSubmission(tag));
  await Promise.all(
    submissions.map(async (submission) => {
      await act(submission);
      if (retries) await retryUnlessAcknowledged(cluster, submission);
    }),
  );
}

/** Lets the client of a submission retry, unless it was acknowledged already. */
export async function retryUnlessAcknowledged(cluster: Cluster, submission: Submission): Promise<void> {
  const isKnown = cluster.replies.some((reply) => reply.submission === submission && isAcknowledged(reply));
  if (!isKnown) await cluster.retry(submission);
}
