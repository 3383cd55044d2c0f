import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ShownRecord } from "../api/shapes.ts";
import { clockTime } from "../lib/age.ts";
import { cx } from "../ui/class.ts";
import { Section } from "../ui/section.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Deciders } from "./deciders.tsx";
import { describeEntry } from "./describe-entry.ts";
import { mergeTimeline, type Note, type TimelineEntry } from "./timeline.ts";
import { words } from "./words.ts";

const { timeline: say } = words;

interface Props {
  record: ShownRecord;
  attempts: Pick<UseQueryResult<RouterOutputs["records"]["attempts"], unknown>, "data" | "error" | "refetch">;
  notes: readonly Note[];
}

/** Everything that happened to a record, newest first. */
export function TimelineView({ record, attempts: { data, error, refetch }, notes }: Props) {
  const entries = useMemo(() => {
    const { attempts = [], persons = [] } = data ?? {};
    return mergeTimeline({ ...record, attempts, notes, persons: [...record.persons, ...persons] });
  }, [record, data, notes]);
  return (
    <Section title={say.title}>
      {error ? (
        <div className="rounded border border-line bg-surface">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : data ? (
        <ol className="flex flex-col">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
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

function Entry({ entry }: { entry: TimelineEntry }) {
  const { title, meaning, detail, people = [], raw, isQuiet } = describeEntry(entry);
  const isRun = entry.firstAt !== entry.at;
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
            {title}
          </span>
          <span className="shrink-0 text-13 text-muted">
            <Time at={entry.at} />
          </span>
        </p>
        {(detail || raw) && (
          <p className="text-13 break-words whitespace-pre-wrap text-muted">
            {people.length > 0 ? <Deciders deciders={people} /> : detail}
            {raw && <span className="mono"> {raw}</span>}
          </p>
        )}
        {isRun && (
          <p className="text-13 text-muted tabular-nums">
            {say.until(clockTime(entry.firstAt), clockTime(entry.at))}
          </p>
        )}
      </div>
    </li>
  );
}
