import { shortId } from "../../lib/ids.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { words } from "../../words.ts";
import type { Outcome } from "./draft.ts";
import type { useDecide } from "./use-decide.ts";

const { decision: say, proposals } = words;
type Confirmed = "approved" | "rejected" | "refused";

const texts: Record<Confirmed, { title: string; act: string; word: string }> = {
  approved: { title: say.approveTitle, act: say.approve, word: say.approveWord },
  rejected: { title: say.rejectTitle, act: say.reject, word: say.rejectWord },
  refused: { title: say.refuseTitle, act: say.refuse, word: say.refuseWord },
};

export const isConfirmed = (outcome: Outcome): outcome is Confirmed => outcome in texts;

interface Props {
  open: boolean;
  onClose(): void;
  outcome: Confirmed;
  kycRecordId: string;
  platform: string;
  decide: ReturnType<typeof useDecide>;
  onAct(): void;
}

/** A decision that reaches the platform at once, and that nobody can take back, asks for the word. */
export function ConfirmDecision({ outcome, kycRecordId, platform, decide, ...props }: Props) {
  const happens = outcome === "approved" ? proposals.happens.approve : say.happens;
  return (
    <ActDialog
      {...props}
      {...texts[outcome]}
      happens={happens(shortId(kycRecordId), platform)}
      running={say.storing}
      mutation={decide}
      danger={outcome !== "approved"}
    />
  );
}
