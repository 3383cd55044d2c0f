import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useMemo } from "react";
import { api } from "../api/client.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { clockTime } from "../lib/age.ts";
import { useMe } from "../lib/use-me.ts";
import type { Who } from "../lib/who.ts";
import { cx } from "../ui/class.ts";
import { Icon } from "../ui/icon.tsx";
import { Section } from "../ui/section.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { NewNote } from "./new-note.tsx";
import { mergeTimeline, type TimelineEntry } from "./timeline.ts";

const words = {
  title: "Timeline",
  hidden: (n: number) => (n === 1 ? "1 note is for compliance only." : `${n} notes are for compliance only.`),
  until: (first: string, last: string) => `${first} – ${last}`,
} as const;

interface Props {
  record: ShownRecord;
  reload(): Promise<void>;
}

/** Everything that happened to a record and what colleagues noted, newest first. */
export function TimelineView({ record, reload }: Props) {
  const { kycRecordId } = record;
  const attempts = useQuery(api.records.attempts.queryOptions({ kycRecordId }));
  const notes = useQuery(api.records.notes.queryOptions({ kycRecordId }));
  const { data: tried } = attempts;
  const { data: noted } = notes;
  const entries = useMemo(
    () => tried && noted && mergeTimeline(record, tried, noted.notes),
    [record, tried, noted],
  );
  const failed = [attempts, notes].find(({ error }) => error);
  return (
    <Section title={words.title}>
      <NewNote kycRecordId={kycRecordId} onAdded={reload} />
      {failed ? (
        <div className="rounded border border-line bg-surface">
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        </div>
      ) : entries ? (
        <>
          {noted && noted.hidden > 0 && (
            <p className="mb-3 flex items-center gap-2 text-13 text-muted">
              <Icon name="lock" /> {words.hidden(noted.hidden)}
            </p>
          )}
          <ol className="flex flex-col">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} platformId={record.platformId} />
            ))}
          </ol>
        </>
      ) : (
        <div className="flex flex-col gap-8 pt-1">
          <Bar className="h-5 w-3/4" />
          <Bar className="h-5 w-2/3" />
          <Bar className="h-5 w-3/4" />
        </div>
      )}
    </Section>
  );
}

const linkClass = "rounded text-accent underline underline-offset-2";

function Entry({ entry, platformId }: { entry: TimelineEntry; platformId: string }) {
  const { title, meaning, detail, people = [], raw, isQuiet, delivery, at, firstAt } = entry;
  const { may } = useMe();
  return (
    <li className="group relative flex gap-3 pb-4">
      <span
        aria-hidden="true"
        className="absolute top-5 bottom-0 left-[5.5px] w-px bg-line group-last:hidden"
      />
      <span className="relative flex h-5 items-center bg-canvas">
        <Shape meaning={meaning} className={cx(isQuiet && "opacity-50")} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3">
          <span className={cx("min-w-0 break-words", isQuiet ? "text-13 text-muted" : "font-medium")}>
            {delivery && may("ops.webhooks") ? (
              <Link
                to="/webhooks/$platformId/$endpointId/$deliveryId"
                params={{ platformId, ...delivery }}
                className={linkClass}
              >
                {title}
              </Link>
            ) : (
              title
            )}
          </span>
          <span className="shrink-0 text-13 text-muted">
            <Time at={at} />
          </span>
        </p>
        {(detail || raw) && (
          <p className="text-13 break-words whitespace-pre-wrap text-muted">
            {people.length > 0 ? people.map(toPerson) : detail}
            {raw && <span className="mono"> {raw}</span>}
          </p>
        )}
        {firstAt !== at && (
          <p className="text-13 text-muted tabular-nums">{words.until(clockTime(firstAt), clockTime(at))}</p>
        )}
      </div>
    </li>
  );
}

const toPerson = (who: Who, index: number) => (
  <Fragment key={who.did}>
    {index > 0 && ", "}
    <Name {...who} /> {who.did}
  </Fragment>
);

/** A person leads to what they did, for those who may read the audit. */
function Name({ personId, name }: Who) {
  const { may } = useMe();
  if (personId === null || !may("ops.audit")) return name;
  return (
    <Link to="/audit" search={{ person: personId }} className={linkClass}>
      {name}
    </Link>
  );
}
