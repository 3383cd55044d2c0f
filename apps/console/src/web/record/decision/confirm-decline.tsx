import { ActDialog } from "../../ui/act-dialog.tsx";
import { words } from "../../words.ts";
import type { Outcome } from "./draft.ts";
import type { useDecide } from "./use-decide.ts";

const { decision: say } = words;

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  outcome: Outcome;
  happens: string;
  decide: ReturnType<typeof useDecide>;
  onAct(): void;
}

/** A rejection or a refusal reaches the platform at once, so it asks for the word. */
export function ConfirmDecline({ open, onOpenChange, outcome, happens, decide, onAct }: Props) {
  const rejects = outcome === "rejected";
  return (
    <ActDialog
      open={open}
      onOpenChange={onOpenChange}
      title={rejects ? say.rejectTitle : say.refuseTitle}
      happens={happens}
      act={rejects ? say.reject : say.refuse}
      word={rejects ? say.rejectWord : say.refuseWord}
      running={say.storing}
      isPending={decide.isPending}
      error={decide.error}
      danger
      onAct={onAct}
    />
  );
}
