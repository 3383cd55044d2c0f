import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { Pause } from "../lib/use-pauses.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { words } from "../words.ts";
import { targetOf } from "./pauses-table.tsx";

const { system: say } = words;
const ramps = ["0", "5", "15", "30", "60"] as const;

interface Props {
  pause: Pause;
  onClose(): void;
  onDone(): void;
}

/** Ends a pause; calls return over some minutes. */
export function ResumeDialog({ pause, onClose, onDone }: Props) {
  const [ramp, setRamp] = useState<(typeof ramps)[number]>("5");
  const mutation = useMutation({
    mutationFn: () => client.pauses.resume.mutate({ pauseId: pause.pauseId, rampMinutes: Number(ramp) }),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={say.resumeTitle(targetOf(pause))}
      happens={say.resumeText}
      act={say.resumeAct}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <ChoiceField
        label={say.ramp}
        value={ramp}
        options={ramps.map((value) => ({ value, text: say.rampOf[value] }))}
        onChange={(next) => setRamp(next as typeof ramp)}
      />
    </ActDialog>
  );
}
