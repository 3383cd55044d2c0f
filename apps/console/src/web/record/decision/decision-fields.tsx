import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { TextField } from "../../ui/form-fields.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { words } from "../../words.ts";
import type { OpenEvidence } from "../evidence/use-evidence.ts";
import { type Draft, type Fault, isDeclined } from "./draft.ts";
import { ReasonsField } from "./reasons-field.tsx";

const { decision: say } = words;

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
          label={say.cardAccount}
          help={say.cardAccountHelp}
          fault={fault === "account" ? say.cardAccountWrong : undefined}
          optional
          value={cardAccountId}
          onChange={(value) => onChange({ cardAccountId: value })}
        />
      )}
      {isDeclined(outcome) && (
        <ReasonsField
          reasons={reasons}
          final={final}
          fault={fault === "reasons" ? say.missing : undefined}
          onChange={onChange}
        />
      )}
      <NoteField
        confirmed={outcome === "approved"}
        required={outcome === "approved"}
        fault={fault === "note" ? say.noteMissing : undefined}
        value={note}
        onChange={(next) => onChange({ note: next })}
      />
      <Notice meaning={seen ? "plain" : "attention"}>
        {seen
          ? say.evidenceSeen(seen.auditId)
          : outcome === "approved"
            ? say.evidenceNeeded
            : say.evidenceUnseen}
      </Notice>
      {outcome === "approved" && <p>{fourEyes ? say.approveText : say.approveAlone}</p>}
    </>
  );
}
