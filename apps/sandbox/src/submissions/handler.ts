import { ApiError } from "../api-error.ts";
import type { FetchedFile } from "../files/fetched-file.ts";
import type { InspectFiles } from "../files/inspect.ts";
import type { Attempt } from "../state/entries.ts";
import type { State } from "../state/state.ts";
import type { Submission } from "../wire.ts";
import { decideAttempt } from "./decide.ts";
import { createKeyedQueue } from "./keyed-queue.ts";

export interface SubmissionHandler {
  /** Decides an attempt and writes it, after all earlier attempts of the same reference. */
  submit(reference: string, submission: Submission): Promise<Attempt>;
  /** Waits until all attempts of a reference that have arrived are written. */
  finished(reference: string): Promise<void>;
  /** Aborts the running attempts. They leave nothing in the journal. */
  close(): void;
}

interface SubmissionHandlerOptions {
  state: State;
  inspectFiles: InspectFiles;
  now: () => number;
}

/** Creates a handler that inspects the files of a submission before the submission executes. */
export function createSubmissionHandler({
  state,
  inspectFiles,
  now,
}: SubmissionHandlerOptions): SubmissionHandler {
  const queue = createKeyedQueue();
  const closing = new AbortController();
  const { signal } = closing;

  return {
    submit: (reference, submission) =>
      queue.run(reference, async () => {
        const attempt = decideAttempt(state, reference, submission, now());
        const files = attempt.execution && (await inspectFiles(submission, signal));
        signal.throwIfAborted();
        const inspected = files ? withFiles(attempt, submission, files) : attempt;
        state.write(inspected);
        return inspected;
      }),
    finished: (reference) => queue.run(reference, async () => {}),
    close() {
      closing.abort(new ApiError("internal", "The sandbox is closing."));
    },
  };
}

/** Adds the inspected files to an attempt. A fault in any of them makes the attempt a refusal. */
function withFiles(attempt: Attempt, request: Submission, files: FetchedFile[]): Attempt {
  const faults = files.flatMap(({ field, fault }) => (fault === undefined ? [] : `${field} ${fault}.`));
  if (faults.length === 0) return { ...attempt, files };
  const { kind, reference, at } = attempt;
  return { kind, reference, at, outcome: "refused", refusal: { request, message: faults.join(" ") }, files };
}
