import { Card, Section } from "../ui/section.tsx";
import { meaningText, Shape } from "../ui/state-mark.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import type { Delivery } from "./delivery-facts.tsx";
import { answerOf } from "./describe.ts";

const { delivery: say } = words.webhooks;

/** The attempts, newest first, each with the start of the answer. */
export function Attempts({ delivery: { history, attempts } }: { delivery: Delivery }) {
  const shown = [...history].reverse();
  return (
    <Section
      title={say.attempts}
      aside={attempts > shown.length && <span className="text-13 text-muted">{say.shown(shown.length)}</span>}
    >
      <Card>
        {shown.length === 0 ? (
          <Empty title={say.none} text={say.noneText} />
        ) : (
          <ol>
            {shown.map(({ attempt, startedAt, milliseconds, status, reason, excerpt }) => {
              const meaning = status !== null && status >= 200 && status < 300 ? "good" : "bad";
              return (
                <li key={attempt} className="border-t border-line px-4 py-2 first:border-t-0">
                  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className={`flex items-center gap-2 font-medium ${meaningText(meaning)}`}>
                      <Shape meaning={meaning} />
                      {answerOf({ status, reason })}
                    </span>
                    <span className="text-13 text-muted tabular-nums">
                      {say.took(words.units.milliseconds(milliseconds))}
                    </span>
                    <span className="ml-auto text-13 text-muted">
                      {say.attempt(attempt)} · <Time at={startedAt} />
                    </span>
                  </div>
                  {status !== null && (
                    <details className="mt-1">
                      <summary className="w-fit cursor-pointer rounded text-13 text-accent">
                        {say.excerpt}
                      </summary>
                      {excerpt ? (
                        <pre className="mono mt-1 rounded bg-sunken p-3 break-all whitespace-pre-wrap">
                          {excerpt}
                        </pre>
                      ) : (
                        <p className="mt-1 text-13 text-muted">{say.noBody}</p>
                      )}
                    </details>
                  )}
                </li>
              );
            })}
          </ol>
        )}
      </Card>
    </Section>
  );
}
