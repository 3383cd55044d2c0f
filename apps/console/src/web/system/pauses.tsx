import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, background } from "../api/client.ts";
import { shortTime } from "../lib/age.ts";
import { useMe } from "../lib/use-me.ts";
import type { Pause } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { PauseDialog, ResumeDialog, targetOf } from "./pause-dialogs.tsx";

const words = {
  title: "Pauses",
  pause: "Pause provider…",
  none: "No pauses",
  noneText: "Calls run within their limits. A platform is paused on its page.",
  columns: {
    target: "What",
    reason: "Why",
    by: "Who",
    at: "Paused",
    until: "Until",
    state: "State",
    acts: "Actions",
  },
  stateOf: { active: "active", ended: "ended" },
  resume: "Resume…",
} as const;

const { columns: names } = words;
const meanings = { active: "attention", ended: "plain" } as const;

/** What is paused and was, newest first; for those who may, the provider's pause and the end of each. */
export function Pauses() {
  const pauses = useQuery({
    ...api.pauses.list.queryOptions({ limit: 20 }, background),
    refetchInterval: 30_000,
  });
  const mayPause = useMe().may("ops.pauses");
  const [open, setOpen] = useState<"pause" | Pause>();
  const close = () => setOpen(undefined);
  const columns: Column<Pause>[] = [
    {
      name: names.state,
      cell: ({ state }) => <StateMark meaning={meanings[state]} word={words.stateOf[state]} />,
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
    { name: names.until, right: true, cell: ({ resumedAt, until }) => shortTime(resumedAt ?? until) },
    {
      name: names.acts,
      quiet: true,
      cell: (pause) =>
        mayPause &&
        pause.state === "active" && (
          <Button kind="quiet" className="-ml-3 as-table:ml-0" onClick={() => setOpen(pause)}>
            {words.resume}
          </Button>
        ),
    },
  ];
  return (
    <div id="pauses" className="scroll-mt-20">
      <Section
        title={words.title}
        aside={mayPause && <Button onClick={() => setOpen("pause")}>{words.pause}</Button>}
      >
        <ListState
          query={pauses}
          empty={pauses.data?.pauses.length === 0}
          nothing={{ title: words.none, text: words.noneText }}
        >
          <Table
            label={words.title}
            columns={columns}
            rows={pauses.data?.pauses}
            keyOf={({ pauseId }) => pauseId}
          />
        </ListState>
      </Section>
      {open === "pause" && <PauseDialog onClose={close} />}
      {open && open !== "pause" && <ResumeDialog pause={open} onClose={close} />}
    </div>
  );
}
