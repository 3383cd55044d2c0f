import { useId } from "react";
import type { ShownRecord } from "../../api/shapes.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { nameOf } from "../../lib/who.ts";
import { shared } from "../../lib/words.ts";
import { Check, TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { type Draft, isDeclined, maxReasons, type ReasonCode } from "./draft.ts";

const words = {
  cardAccount: "Card account",
  cardAccountHelp: "The provider’s id of the account, if it gave one. Never a card number.",
  seen: "It is bound to the evidence that you have opened.",
  unseen: "You have not opened the evidence. The decision is bound to the record as you see it.",
  openers: "Who has opened the evidence:",
  nobody: "Nobody has opened the evidence lately.",
  approveText: "This proposes the approval. Another person confirms it within 24 hours.",
  approveAlone: "Four eyes are off: it is approved at once, without another person.",
  reasons: "Reasons",
  reasonsHelp: "The platform and the person learn them. Choose 1 to 10.",
  final: "Final: another submission of this person will not help",
} as const;

interface Props {
  draft: Draft;
  openings: ShownRecord["openings"];
  /** Whether the person has the evidence open. */
  seen: boolean;
  onChange(fields: Partial<Draft>): void;
}

/** What the chosen outcome needs, and which evidence it is about. */
export function DecisionFields({ draft, openings, seen, onChange }: Props) {
  const fourEyes = useFourEyes();
  const { outcome, cardAccountId, note } = draft;
  const isApproval = outcome === "approved";
  return (
    <>
      {isApproval && (
        <TextField
          className="max-w-md"
          mono
          label={words.cardAccount}
          help={words.cardAccountHelp}
          optional
          value={cardAccountId}
          onChange={(value) => onChange({ cardAccountId: value })}
        />
      )}
      {isDeclined(outcome) && <ReasonsField {...draft} onChange={onChange} />}
      <NoteField confirmed={isApproval} required value={note} onChange={(next) => onChange({ note: next })} />
      <Notice meaning={seen ? "plain" : "attention"}>
        <p>{seen ? words.seen : words.unseen}</p>
        <Openers openings={openings} />
      </Notice>
      {isApproval && <p>{fourEyes ? words.approveText : words.approveAlone}</p>}
    </>
  );
}

/** Who has opened a record's evidence, each with the last time and why. */
function Openers({ openings }: Pick<ShownRecord, "openings">) {
  if (openings.length === 0) return <p className="text-13">{words.nobody}</p>;
  const last = openings.filter(
    ({ by }, index) => openings.findIndex((other) => other.by.personId === by.personId) === index,
  );
  return (
    <div className="text-13">
      <p>{words.openers}</p>
      <ul>
        {last.map(({ by, purpose, at }) => (
          <li key={by.personId}>
            {nameOf(by)} · {shared.purpose.short[purpose]} · <Time at={at} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const codes = Object.keys(shared.reasons) as ReasonCode[];

interface ReasonsFieldProps extends Pick<Draft, "reasons" | "final"> {
  onChange(fields: Pick<Draft, "reasons"> | Pick<Draft, "final">): void;
}

/** The closed list of reasons, of which a decision has up to ten. */
function ReasonsField({ reasons, final, onChange }: ReasonsFieldProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-help`}>
      <legend className="text-13 text-muted">{words.reasons}</legend>
      <p id={`${id}-help`} className="text-13 text-muted">
        {words.reasonsHelp}
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
