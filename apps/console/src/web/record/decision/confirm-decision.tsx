import { shortId } from "../../lib/ids.ts";
import { shared } from "../../lib/words.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import type { Outcome } from "./draft.ts";
import type { useDecide } from "./use-decide.ts";
import { words } from "./words.ts";

type Confirmed = "approved" | "rejected" | "refused";

const texts: Record<Confirmed, { title: string; act: string; word: string }> = {
  approved: { title: words.approveTitle, act: words.approve, word: words.approveWord },
  rejected: { title: words.rejectTitle, act: words.reject, word: words.rejectWord },
  refused: { title: words.refuseTitle, act: words.refuse, word: words.refuseWord },
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
  const happens = outcome === "approved" ? shared.proposals.happens.approve : words.happens;
  return (
    <ActDialog
      {...props}
      {...texts[outcome]}
      happens={happens(shortId(kycRecordId), platform)}
      running={words.storing}
      mutation={decide}
      danger={outcome !== "approved"}
    />
  );
}
