import { useState } from "react";
import { shownError } from "../../api/problem.ts";
import type { ShownRecord } from "../../api/shapes.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { ActError } from "../../ui/act-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { ConflictHelp } from "./conflict-help.tsx";
import { DecisionFields } from "./decision-fields.tsx";
import { type Draft, faultOf, isDeclined, type Outcome } from "./draft.ts";
import type { useDecide } from "./use-decide.ts";
import { words } from "./words.ts";

const outcomes = (Object.keys(shared.decision.outcomeOf) as Outcome[]).map((value) => ({
  value,
  text: shared.decision.outcomeOf[value],
  detail: words.detailOf[value],
}));

interface Props {
  record: ShownRecord;
  platform: string;
  seen: OpenEvidence | undefined;
  decide: ReturnType<typeof useDecide>;
  reload(): Promise<void>;
  onCancel(): void;
}

/** The fields of a decision. What the outcome does not have is not asked. */
export function DecisionForm({ record, platform, seen, decide, reload, onCancel }: Props) {
  const [draft, setDraft] = useState<Partial<Draft>>({});
  const [tried, setTried] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const fourEyes = useFourEyes();
  const set = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const { outcome, cardAccountId = "", reasons = [], final = false, note = "" } = draft;
  const complete = outcome && { outcome, cardAccountId, reasons, final, note };
  const fault = tried && complete ? faultOf(complete) : undefined;
  const { mutate, isPending, error } = decide;
  const needsWord = isDeclined(outcome) || (outcome === "approved" && !fourEyes);
  const submit = () => {
    setTried(true);
    if (!complete || isPending || faultOf(complete)) return;
    if (needsWord) setConfirming(true);
    else mutate(complete);
  };
  return (
    <form
      className="flex flex-col gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Choices
        legend={words.outcome}
        options={outcomes}
        value={outcome}
        focusFirst
        onChange={(next) => set({ outcome: next })}
      />
      {complete && <DecisionFields draft={complete} fault={fault} seen={seen} onChange={set} />}
      {error && !confirming && (
        <div>
          <ActError error={error} />
          {shownError(error).kind === "conflict" && (
            <ConflictHelp record={record} code={shownError(error).code} reload={reload} />
          )}
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{shared.acts.cancel}</Button>
        <Button
          type="submit"
          kind={isDeclined(outcome) ? "toDanger" : "primary"}
          disabled={!outcome || isPending || (outcome === "approved" && !seen)}
        >
          {isPending ? words.storing : submitWords(outcome, fourEyes)}
        </Button>
      </div>
      {complete && isConfirmed(complete.outcome) && (
        <ConfirmDecision
          open={confirming}
          onClose={() => setConfirming(false)}
          outcome={complete.outcome}
          kycRecordId={record.kycRecordId}
          platform={platform}
          decide={decide}
          onAct={() => mutate(complete)}
        />
      )}
    </form>
  );
}

/** What the button does with the chosen outcome. */
function submitWords(outcome: Outcome | undefined, fourEyes: boolean): string {
  if (outcome === "approved" && !fourEyes) return words.approveDots;
  return words.submit[outcome ?? "not_submitted"];
}

type Confirmed = "approved" | "rejected" | "refused";

const texts: Record<Confirmed, { title: string; act: string; word: string }> = {
  approved: { title: words.approveTitle, act: words.approve, word: words.approveWord },
  rejected: { title: words.rejectTitle, act: words.reject, word: words.rejectWord },
  refused: { title: words.refuseTitle, act: words.refuse, word: words.refuseWord },
};

const isConfirmed = (outcome: Outcome): outcome is Confirmed => outcome in texts;

interface IsConfirmedProps {
  open: boolean;
  onClose(): void;
  outcome: Confirmed;
  kycRecordId: string;
  platform: string;
  decide: ReturnType<typeof useDecide>;
  onAct(): void;
}

/** A decision that reaches the platform at once, and that nobody can take back, asks for the word. */
function ConfirmDecision({ outcome, kycRecordId, platform, decide, ...props }: IsConfirmedProps) {
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
