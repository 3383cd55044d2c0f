import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { Pause } from "../lib/use-pauses.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { words } from "../words.ts";
import { targetOf } from "./pauses-table.tsx";

const { system: say } = words;

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
      title={say.resumeTitle(targetOf(pause))}
      happens={say.resumeText}
      act={say.resumeAct}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
