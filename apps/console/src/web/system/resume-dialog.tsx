import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { Pause } from "../lib/use-pauses.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { targetOf } from "./pauses-table.tsx";

const words = {
  resumeTitle: (target: string) => `Resume ${target}`,
  resumeText: "Calls run again within a second. Workers send what was stored at their usual rate.",
  resumeAct: "Resume",
} as const;

interface Props {
  pause: Pause;
  onClose(): void;
  onDone(): void;
}

/** Ends a pause. */
export function ResumeDialog({ pause, onClose, onDone }: Props) {
  const mutation = useMutation({
    mutationFn: () => client.pauses.resume.mutate({ pauseId: pause.pauseId }),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={words.resumeTitle(targetOf(pause))}
      happens={words.resumeText}
      act={words.resumeAct}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
