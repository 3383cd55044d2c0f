import { useId } from "react";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Check, TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { type Draft, type Fault, isDeclined, maxReasons, type ReasonCode } from "./draft.ts";

const words = {
  cardAccount: "Card account",
  cardAccountHelp: "The provider’s id of the account, if it gave one. Never a card number.",
  cardAccountWrong: "Up to 256 letters, digits and signs, without spaces.",
  evidenceSeen: (auditId: string) => `It is bound to the evidence that you opened (audit ${auditId}).`,
  evidenceUnseen:
    "You have not opened the evidence. The decision is bound to the record as you see it, not to what the person submitted.",
  evidenceNeeded: "You have not opened the evidence. An approval needs that you look at it first.",
  noteMissing: "Say why, and who told you.",
  approveText: "This proposes the approval. Another person confirms it within 24 hours.",
  approveAlone: "Four eyes are off: it is approved at once, without another person.",
  missing: "Choose at least one reason.",
  reasons: "Reasons",
  reasonsHelp: "The platform and the person learn them. Choose 1 to 10.",
  final: "Final: another submission of this person will not help",
} as const;

interface Props {
  draft: Draft;
  fault: Fault | undefined;
  seen: OpenEvidence | undefined;
  onChange(fields: Partial<Draft>): void;
}

/** What the chosen outcome needs, and which evidence it is about. */
export function DecisionFields({ draft, fault, seen, onChange }: Props) {
  const fourEyes = useFourEyes();
  const { outcome, cardAccountId, reasons, final, note } = draft;
  return (
    <>
      {outcome === "approved" && (
        <TextField
          className="max-w-md"
          mono
          label={words.cardAccount}
          help={words.cardAccountHelp}
          fault={fault === "account" ? words.cardAccountWrong : undefined}
          optional
          value={cardAccountId}
          onChange={(value) => onChange({ cardAccountId: value })}
        />
      )}
      {isDeclined(outcome) && (
        <ReasonsField
          reasons={reasons}
          final={final}
          fault={fault === "reasons" ? words.missing : undefined}
          onChange={onChange}
        />
      )}
      <NoteField
        confirmed={outcome === "approved"}
        required={outcome === "approved"}
        fault={fault === "note" ? words.noteMissing : undefined}
        value={note}
        onChange={(next) => onChange({ note: next })}
      />
      <Notice meaning={seen ? "plain" : "attention"}>
        {seen
          ? words.evidenceSeen(seen.auditId)
          : outcome === "approved"
            ? words.evidenceNeeded
            : words.evidenceUnseen}
      </Notice>
      {outcome === "approved" && <p>{fourEyes ? words.approveText : words.approveAlone}</p>}
    </>
  );
}

const codes = Object.keys(shared.reasons) as ReasonCode[];

interface ReasonsFieldProps extends Pick<Draft, "reasons" | "final"> {
  fault: string | undefined;
  onChange(fields: Pick<Draft, "reasons"> | Pick<Draft, "final">): void;
}

/** The closed list of reasons, of which a decision has up to ten. */
function ReasonsField({ reasons, final, fault, onChange }: ReasonsFieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-help`}>
      <legend className="text-13 text-muted">{words.reasons}</legend>
      <p id={`${id}-help`} className={fault ? "text-13 font-medium text-bad" : "text-13 text-muted"}>
        {fault ?? words.reasonsHelp}
      </p>
      <div className="mt-1 grid gap-x-4 sm:grid-cols-2">
        {codes.map((code) => {
          const chosen = reasons.includes(code);
          return (
            <Check
              key={code}
              checked={chosen}
              disabled={!chosen && reasons.length >= maxReasons}
              onChange={() =>
                onChange({ reasons: chosen ? reasons.filter((one) => one !== code) : [...reasons, code] })
              }
            >
              <span className="block first-letter:uppercase">{shared.reasons[code]}</span>
            </Check>
          );
        })}
      </div>
      <div className="mt-2 border-t border-line pt-2">
        <Check checked={final} onChange={(next) => onChange({ final: next })}>
          {words.final}
        </Check>
      </div>
    </fieldset>
  );
}
