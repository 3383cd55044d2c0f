import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, background } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { type Pause, useReadPausesAgain } from "../lib/use-pauses.ts";
import { Button } from "../ui/button.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { words } from "../words.ts";
import { PauseDialog } from "./pause-dialog.tsx";
import { PausesTable } from "./pauses-table.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";

const { system: say } = words;
type Open = { act: "pause"; target: "provider" | "platform" } | { act: "resume"; pause: Pause };

/** The operators' brakes: what is paused and was, and for those who may, pausing and resuming. */
export function Pauses() {
  const pauses = useQuery({
    ...api.pauses.list.queryOptions({ limit: 20 }, background),
    refetchInterval: 30_000,
  });
  const { may } = useMe();
  const readAgain = useReadPausesAgain();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayPause = may("ops.pauses");
  return (
    <div id="pauses" className="scroll-mt-20">
      <Section
        title={say.pauses}
        aside={
          mayPause && (
            <span className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => setOpen({ act: "pause", target: "platform" })}>
                {say.pausePlatform}
              </Button>
              <Button onClick={() => setOpen({ act: "pause", target: "provider" })}>
                {say.pauseProvider}
              </Button>
            </span>
          )
        }
      >
        <ListState
          query={pauses}
          empty={pauses.data?.pauses.length === 0}
          nothing={{ title: say.noPauses, text: say.noPausesText }}
        >
          <PausesTable
            pauses={pauses.data?.pauses}
            {...(mayPause && { onResume: (pause: Pause) => setOpen({ act: "resume", pause }) })}
          />
        </ListState>
      </Section>
      {open?.act === "pause" && (
        <PauseDialog target={open.target} onClose={close} onDone={() => void readAgain()} />
      )}
      {open?.act === "resume" && (
        <ResumeDialog pause={open.pause} onClose={close} onDone={() => void readAgain()} />
      )}
    </div>
  );
}
