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
import { RecentSignIn, useIsRecent } from "../../ui/recent-sign-in.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { DecisionFields } from "./decision-fields.tsx";
import { type Draft, isDeclined, missingOf, type Outcome } from "./draft.ts";
import type { Decide } from "./use-decide.ts";

const words = {
  outcome: "What did the provider decide?",
  detailOf: {
    approved: "the person may have a card",
    rejected: "reviewed, and turned down",
    pending_approval: "the provider has it and decides later",
    not_submitted: "the provider waits for more",
    refused: "not accepted for a review",
  },
  propose: "Propose the approval",
  store: "Store the decision",
  storing: "Storing…",
  again: "Show the new state",
  needs: (what: string) => `First ${what}.`,
  missing: {
    evidence: "open the evidence",
    account: "enter the card account without spaces",
    reasons: "choose at least one reason",
    note: "write a note",
  },
  dots: (act: string) => `${act}…`,
  confirm: {
    approved: { title: "Approve this verification?", act: "Approve", word: "APPROVE" },
    rejected: { title: "Reject this verification?", act: "Reject", word: "REJECT" },
    refused: { title: "Refuse this verification?", act: "Refuse", word: "REFUSE" },
  },
  happens: (id: string, platform: string) =>
    `${id} is closed, and ${platform} is told at once with the reasons. You cannot take it back: only a later decision of the provider replaces it.`,
} as const;

const outcomes = (Object.keys(shared.decision.outcomeOf) as Outcome[]).map((value) => ({
  value,
  text: shared.decision.outcomeOf[value],
  detail: words.detailOf[value],
}));

interface Props {
  record: ShownRecord;
  platform: string;
  seen: OpenEvidence | undefined;
  decide: Decide;
  reload(): Promise<void>;
  onCancel(): void;
}

/** The fields of a decision. What the outcome does not have is not asked. */
export function DecisionForm({ record, platform, seen, decide, reload, onCancel }: Props) {
  const [draft, setDraft] = useState<Partial<Draft>>({});
  const [confirming, setConfirming] = useState(false);
  const fourEyes = useFourEyes();
  const isRecent = useIsRecent();
  const { outcome, cardAccountId = "", reasons = [], final = false, note = "" } = draft;
  const complete = outcome && { outcome, cardAccountId, reasons, final, note };
  const missing = complete ? missingOf(complete, seen !== undefined) : [];
  const { mutate, isPending, error } = decide;
  // What reaches the platform at once, and what nobody can take back, asks for the word.
  const confirm =
    isDeclined(outcome) || (outcome === "approved" && !fourEyes)
      ? words.confirm[outcome as keyof typeof words.confirm]
      : undefined;
  const isReady = isRecent && !isPending && missing.length === 0;
  const submit = () => {
    if (!complete || !isReady) return;
    if (confirm) setConfirming(true);
    else mutate(complete);
  };
  const happens = outcome === "approved" ? shared.proposals.happens.approve : words.happens;
  const act = confirm ? words.dots(confirm.act) : outcome === "approved" ? words.propose : words.store;
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
        onChange={(next) => setDraft((before) => ({ ...before, outcome: next }))}
      />
      {complete && (
        <DecisionFields
          draft={complete}
          openings={record.openings}
          seen={seen !== undefined}
          onChange={(fields) => setDraft((before) => ({ ...before, ...fields }))}
        />
      )}
      {!isRecent && <RecentSignIn />}
      {error && !confirming && (
        <div>
          <ActError error={error} />
          {shownError(error).kind === "conflict" && (
            <Button className="mt-2" onClick={() => void reload()}>
              {words.again}
            </Button>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {missing.length > 0 && (
          <p className="mr-auto text-13 text-muted">
            {words.needs(missing.map((name) => words.missing[name]).join(", "))}
          </p>
        )}
        <Button onClick={onCancel}>{shared.acts.cancel}</Button>
        <Button
          type="submit"
          kind={isDeclined(outcome) ? "toDanger" : "primary"}
          disabled={!outcome || !isReady}
        >
          {isPending ? words.storing : act}
        </Button>
      </div>
      {complete && confirm && (
        <ActDialog
          {...confirm}
          open={confirming}
          onClose={() => setConfirming(false)}
          happens={happens(shortId(record.kycRecordId), platform)}
          running={words.storing}
          mutation={decide}
          danger={outcome !== "approved"}
          recent
          onAct={() => mutate(complete)}
        />
      )}
    </form>
  );
}
