import type { Submission } from "./clients/marked-submission.ts";
import { isAcknowledged } from "./clients/submit.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Load } from "./episodes/episode.ts";

/** Runs one client for each submission, concurrently. With `retries`, unacknowledged clients retry. */
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

/** Retries a submission unless it is already acknowledged. */
export async function retryUnlessAcknowledged(cluster: Cluster, submission: Submission): Promise<void> {
  const isKnown = cluster.replies.some((reply) => reply.submission === submission && isAcknowledged(reply));
  if (!isKnown) await cluster.retry(submission);
}
