import { useState } from "react";
import { shownError } from "../../api/problem.ts";
import type { ShownRecord } from "../../api/shapes.ts";
import { shortId } from "../../lib/ids.ts";
import { ActError } from "../../ui/act-error.tsx";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import { words } from "../../words.ts";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { ConfirmDecline } from "./confirm-decline.tsx";
import { ConflictHelp } from "./conflict-help.tsx";
import { DecisionFields } from "./decision-fields.tsx";
import { type Draft, faultOf, isDeclined, type Outcome } from "./draft.ts";
import type { useDecide } from "./use-decide.ts";

const { decision: say } = words;
const outcomes = (Object.keys(say.outcomeOf) as Outcome[]).map((value) => ({
  value,
  text: say.outcomeOf[value],
  detail: say.detailOf[value],
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
  const set = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const { outcome, cardAccountId = "", reasons = [], final = false, note = "" } = draft;
  const complete = outcome && { outcome, cardAccountId, reasons, final, note };
  const fault = tried && complete ? faultOf(complete) : undefined;
  const { mutate, isPending, error } = decide;
  const submit = () => {
    setTried(true);
    if (!complete || isPending || faultOf(complete)) return;
    if (isDeclined(outcome)) setConfirming(true);
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
        legend={say.outcome}
        options={outcomes}
        value={outcome}
        focusFirst
        onChange={(next) => set({ outcome: next })}
      />
      {complete && <DecisionFields draft={complete} fault={fault} seen={seen} onChange={set} />}
      <div role="alert" className="empty:hidden">
        {error && !isPending && !confirming ? (
          <>
            <ActError error={error} />
            {shownError(error).kind === "conflict" && (
              <ConflictHelp record={record} code={shownError(error).code} reload={reload} />
            )}
          </>
        ) : null}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{words.acts.cancel}</Button>
        <Button
          type="submit"
          kind={isDeclined(outcome) ? "toDanger" : "primary"}
          disabled={!outcome || isPending}
        >
          {isPending ? say.storing : outcome ? say.submit[outcome] : say.submit.not_submitted}
        </Button>
      </div>
      {complete && isDeclined(outcome) && (
        <ConfirmDecline
          open={confirming}
          onOpenChange={setConfirming}
          outcome={complete.outcome}
          happens={say.happens(shortId(record.kycRecordId), platform)}
          decide={decide}
          onAct={() => mutate(complete)}
        />
      )}
    </form>
  );
}
