import type { Book } from "./book.ts";
import type { Attempt, FetchedFile } from "./entries.ts";
import type { Inspect } from "./inspection.ts";
import { Problem } from "./problem.ts";
import { decideAttempt } from "./submit.ts";
import { createTurns } from "./turns.ts";
import type { Submission } from "./wire.ts";

export interface Reception {
  /** Decides an attempt and writes it, after every earlier one of its reference. */
  receive(reference: string, submission: Submission): Promise<Attempt>;
  /** Waits until every attempt of a reference that came is written. */
  settled(reference: string): Promise<void>;
  /** Gives up what is under way, which leaves nothing behind. */
  close(): void;
}

interface ReceptionOptions {
  book: Book;
  inspect: Inspect;
  now: () => number;
}

/** Takes submissions in; before one executes, its files are looked at. */
export function createReception({ book, inspect, now }: ReceptionOptions): Reception {
  const turns = createTurns();
  const closing = new AbortController();
  const { signal } = closing;

  return {
    receive: (reference, submission) =>
      turns.take(reference, async () => {
        const attempt = decideAttempt(book, reference, submission, now());
        const files = attempt.execution && (await inspect(submission, signal));
        signal.throwIfAborted();
        const decided = files ? withFiles(attempt, submission, files) : attempt;
        book.write(decided);
        return decided;
      }),
    settled: (reference) => turns.take(reference, async () => {}),
    close() {
      closing.abort(new Problem("internal", "The sandbox closes."));
    },
  };
}

/** The attempt as it is when files were looked at: refused when anything is wrong with one. */
function withFiles(attempt: Attempt, request: Submission, files: FetchedFile[]): Attempt {
  const faults = files.flatMap(({ field, fault }) => (fault === undefined ? [] : `${field} ${fault}.`));
  if (faults.length === 0) return { ...attempt, files };
  const { kind, reference, at } = attempt;
  return { kind, reference, at, outcome: "refused", refusal: { request, message: faults.join(" ") }, files };
}
