import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Counts } from "../api/shapes.ts";
import { againstSla, ageWords } from "../lib/age.ts";
import { number } from "../lib/numbers.ts";
import type { Meaning } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { Card } from "../ui/section.tsx";
import { meaningText } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";

const words = {
  figures: "Figures",
  attention: "Need attention",
  open: "Open",
  mine: "Assigned to me",
  oldest: "Oldest open",
  sla: (hours: number) => `agreed: ${hours} h`,
  noneOpen: "none open",
  proposals: "Waiting for me",
} as const;

interface Props {
  counts: { data: Counts | undefined; error: unknown; refetch(): unknown };
  /** Undefined for persons who confirm nothing. */
  proposals: number | undefined;
  slaHours: number;
  now: number;
}

/** The counts, each leading to what it counts. */
export function Figures({ counts: { data, error, refetch }, proposals, slaHours, now }: Props) {
  if (error && !data) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  const age = data?.oldestOpenAt ? now - Date.parse(data.oldestOpenAt) : undefined;
  const sla = age === undefined ? "within" : againstSla(age, slaHours);
  const shown = (count: number | undefined) => (count === undefined ? undefined : number(count));
  return (
    <ul aria-label={words.figures} className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:flex">
      <Figure
        name={words.attention}
        value={shown(data?.needsAttention)}
        link={{ to: "/queue", search: {} }}
        meaning={data && data.needsAttention > 0 ? "attention" : undefined}
      />
      <Figure name={words.open} value={shown(data?.open)} link={{ to: "/queue", search: { tab: "open" } }} />
      <Figure
        name={words.mine}
        value={shown(data?.assignedToMe)}
        link={{ to: "/queue", search: { tab: "open", assignee: "mine" } }}
      />
      <Figure
        name={words.oldest}
        value={data && (age === undefined ? shared.none : ageWords(age))}
        note={age === undefined ? words.noneOpen : sla === "within" ? words.sla(slaHours) : shared.queue[sla]}
        link={{ to: "/queue", search: { tab: "open" } }}
        meaning={sla === "over" ? "bad" : sla === "near" ? "attention" : undefined}
      />
      {proposals !== undefined && (
        <Figure name={words.proposals} value={number(proposals)} link={{ to: "/proposals" }} />
      )}
    </ul>
  );
}

interface FigureProps {
  name: string;
  value: ReactNode;
  note?: string;
  link: LinkProps;
  meaning?: Meaning | undefined;
}

function Figure({ name, value, note, link, meaning }: FigureProps) {
  return (
    <li className="min-w-0 flex-1 max-sm:last:odd:col-span-2">
      <Link
        {...link}
        className="block h-24 rounded border border-line bg-surface px-4 py-3 hover:border-line-strong"
      >
        <span className="block truncate text-13 text-muted">{name}</span>
        <span className={cx("block text-20 font-semibold tabular-nums", meaning && meaningText(meaning))}>
          {value ?? <Bar className="mt-1 h-5 w-16" />}
        </span>
        {note && (
          <span className={cx("block truncate text-12", meaning ? meaningText(meaning) : "text-muted")}>
            {note}
          </span>
        )}
      </Link>
    </li>
  );
}
