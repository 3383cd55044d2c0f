import { client } from "../api/client.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { usePersonal } from "../lib/use-personal.ts";
import { reasonWords } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Reasons",
  final: "Another submission of this person will not help.",
  about: (field: string) => `about: ${field}`,
  none: "The provider gave no reason.",
  text: "Restricted reasons are for compliance alone and must not reach the person. Each look is in the audit.",
  show: "Show restricted reasons",
  showing: "Reading…",
  noneRestricted: "There are no restricted reasons for this record.",
  of: {
    WATCH_LIST_MATCH: "match on a watch list",
    SANCTIONS_MATCH: "match on a sanctions list",
    FRAUD_SUSPECTED: "suspected fraud",
  },
} as const;

const row = "flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5";

/** Why the provider refused or rejected the submission. */
export function Reasons({ record }: { record: ShownRecord }) {
  const { may } = useMe();
  const { kycRecordId, explanation, history } = record;
  const reasons = explanation?.reasons ?? [];
  const wasDeclined = history.some(
    ({ resolution, status }) => resolution === "refused" || status === "REJECTED",
  );
  if (!wasDeclined && reasons.length === 0) return null;
  return (
    <Section title={words.title}>
      <Card>
        <ul className="-mt-px">
          {reasons.map(({ code, field }) => (
            <li key={`${code}${field}`} className={row}>
              <span className="first-letter:uppercase">{reasonWords(code)}</span>
              {field && <span className="text-13 text-muted">{words.about(fieldName(field))}</span>}
            </li>
          ))}
          {reasons.length === 0 && <li className={row}>{words.none}</li>}
          {explanation?.final && <li className={`${row} text-bad`}>{words.final}</li>}
        </ul>
        {may("ops.compliance") && wasDeclined && <Restricted kycRecordId={kycRecordId} />}
      </Card>
    </Section>
  );
}

/** The field of a submission to which a reason points, in words. */
function fieldName(pointer: string): string {
  const [, name = ""] = pointer.split("/");
  return (shared.evidence.fields as Record<string, string>)[name] ?? shared.evidence.file(name);
}

/** The reasons that only compliance may know. Others do not learn that there may be some. */
function Restricted({ kycRecordId }: { kycRecordId: string }) {
  const { mutate, data, isPending, error } = usePersonal({
    mutationFn: () => client.records.restrictedReasons.mutate({ kycRecordId }),
  });
  return (
    <div role="status">
      <div className={`${row} gap-y-2 py-3`}>
        <p className="flex max-w-[44ch] items-start gap-2 text-muted">
          <Icon name="lock" className="mt-0.5" />{" "}
          {data?.reasons.length === 0 ? words.noneRestricted : words.text}
        </p>
        {!data && (
          <Button disabled={isPending} onClick={() => mutate()}>
            {isPending ? words.showing : words.show}
          </Button>
        )}
      </div>
      {data?.reasons.map(({ reason, observedAt }) => (
        <p key={`${reason}${observedAt}`} className={row}>
          <span className="font-medium text-bad first-letter:uppercase">{words.of[reason]}</span>
          <span className="text-13 text-muted">
            <Time at={observedAt} />
          </span>
        </p>
      ))}
      <ActError error={error} reads />
    </div>
  );
}
