import { number } from "../lib/numbers.ts";
import { Copy } from "../ui/copy.tsx";
import { Notice } from "../ui/notice.tsx";
import { Progress } from "../ui/progress.tsx";
import { Card, Fact } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import type { Verification } from "./use-verification.ts";

const { verify: say } = words.audit;

/** What a verification has found so far. */
export function Verified({ state, onRetry }: { state: Verification; onRetry(): void }) {
  const { at, checkpoints, entries, problems, last, anchor, pending, error } = state;
  const counts = [number(checkpoints), number(entries)] as const;
  return (
    <div className="flex flex-col gap-4">
      {at === "running" && <Progress value={entries} text={say.running(...counts)} />}
      {at === "stopped" && <Notice meaning="waiting">{say.stopped}</Notice>}
      {at === "failed" && (
        <Card>
          <ErrorState error={error} onRetry={onRetry} />
        </Card>
      )}
      {problems.length > 0 && (
        <Notice meaning="bad">
          <p className="font-semibold">{say.broken(problems.length)}</p>
          <p>{say.brokenText}</p>
          <ul className="mt-2 list-disc pl-4">
            {problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {at === "finished" && problems.length === 0 && (
        <Notice meaning="good">
          <span className="font-semibold">{say.intact}</span> {say.counts(...counts)}.{" "}
          {pending !== null && pending > 0 && say.pending(number(pending))}
        </Notice>
      )}
      {last && (
        <div>
          <Card>
            <dl>
              <Fact name={say.last}>{say.number(last.number)}</Fact>
              <Fact name={say.hash}>
                <span className="flex min-w-0 items-center gap-2">
                  <span className="mono min-w-0 break-all">{last.hash}</span>
                  <Copy value={last.hash} label={words.copy.id(say.hash)} />
                </span>
              </Fact>
            </dl>
          </Card>
          <p className="mt-2 text-13 text-muted">
            {say.lastNote} {anchor && say.anchor(anchor.number)}
          </p>
        </div>
      )}
    </div>
  );
}
