import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Restricted reasons",
  text: "The provider may give reasons that only compliance knows. They must not reach the person. Each look is in the audit.",
  show: "Show restricted reasons",
  showing: "Reading…",
  none: "There are none for this record.",
  hide: "Hide",
  of: {
    WATCH_LIST_MATCH: "match on a watch list",
    SANCTIONS_MATCH: "match on a sanctions list",
    FRAUD_SUSPECTED: "suspected fraud",
  },
} as const;

/** The reasons that only compliance may know. Others do not learn that there may be some. */
export function Restricted({ record }: { record: ShownRecord }) {
  const { may } = useMe();
  const { kycRecordId, history } = record;
  const { mutate, data, isPending, error, reset } = useMutation({
    gcTime: 0,
    mutationFn: () => client.records.restrictedReasons.mutate({ kycRecordId }),
  });
  const wasDeclined = history.some(
    ({ resolution, status }) => resolution === "refused" || status === "REJECTED",
  );
  if (!may("ops.compliance") || !wasDeclined) return null;
  return (
    <Section title={words.title}>
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
          <p className="flex max-w-[52ch] items-start gap-2 text-muted">
            <Icon name="lock" className="mt-0.5" /> {words.text}
          </p>
          {data ? (
            <Button onClick={reset}>{words.hide}</Button>
          ) : (
            <Button disabled={isPending} onClick={() => mutate()}>
              {isPending ? words.showing : words.show}
            </Button>
          )}
        </div>
        <div role="status">
          {data?.reasons.length === 0 && <p className="border-t border-line px-4 py-2">{words.none}</p>}
          {data && data.reasons.length > 0 && (
            <ul>
              {data.reasons.map(({ reason, observedAt }) => (
                <li
                  key={`${reason}${observedAt}`}
                  className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5"
                >
                  <span className="font-medium text-bad first-letter:uppercase">{words.of[reason]}</span>
                  <span className="flex items-center gap-3 text-13 text-muted">
                    <span className="mono">{reason}</span>
                    <Time at={observedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {error && (
            <div className="px-4 pb-3">
              <ActError error={error} reads />
            </div>
          )}
        </div>
      </Card>
    </Section>
  );
}
