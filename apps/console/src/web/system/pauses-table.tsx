import { shortTime } from "../lib/age.ts";
import type { Pause } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "./words.ts";

const { pauseColumns: names } = words;
const meanings = { active: "attention", ended: "plain" } as const;

/** What is paused, in words. */
export const targetOf = ({ target, platformName, platformId }: Pause): string =>
  target === "provider" ? words.provider : (platformName ?? platformId ?? "");

interface Props {
  pauses: readonly Pause[] | undefined;
  /** Absent for those who may not resume. */
  onResume?: (pause: Pause) => void;
}

/** Pauses, newest first. */
export function PausesTable({ pauses, onResume }: Props) {
  const columns: Column<Pause>[] = [
    {
      name: names.state,
      cell: ({ state }) => <StateMark meaning={meanings[state]} word={words.pauseState[state]} />,
    },
    {
      name: names.target,
      cell: (pause) => (
        <span className="block as-table:max-w-52 as-table:truncate" title={targetOf(pause)}>
          {targetOf(pause)}
        </span>
      ),
    },
    { name: names.reason, wide: true, cell: ({ reason }) => <span title={reason}>{reason}</span> },
    { name: names.by, cell: ({ person }) => person?.name ?? shared.pauses.commandLine },
    { name: names.at, right: true, cell: ({ pausedAt }) => <Time at={pausedAt} /> },
    { name: names.until, right: true, cell: (pause) => shortTime(endOf(pause)) },
    ...(onResume
      ? [
          {
            name: names.acts,
            quiet: true,
            cell: (pause: Pause) =>
              pause.state === "active" && (
                <span className="flex -ml-3 as-table:ml-0 as-table:justify-end">
                  <Button kind="quiet" onClick={() => onResume(pause)}>
                    {words.resume}
                  </Button>
                </span>
              ),
          },
        ]
      : []),
  ];
  return <Table label={words.pauses} columns={columns} rows={pauses} keyOf={({ pauseId }) => pauseId} />;
}

/** When calls run again, or did. */
const endOf = ({ until, resumedAt }: Pause): string => resumedAt ?? until;
