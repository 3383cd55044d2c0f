import { useFourEyes } from "../lib/use-four-eyes.ts";
import { Field } from "./field.tsx";

const words = {
  note: "Note",
  noteHelp: "Why, for the person who confirms it, and for the notes.",
  noteHelpAlone: "Why, for the notes.",
} as const;

interface Props {
  /** Whether the act needs a second person, if four eyes are on. */
  confirmed?: boolean;
  required?: boolean;
  /** Why the note cannot be sent. */
  fault?: string | undefined;
  value: string;
  onChange(value: string): void;
}

/** Why, for the notes, and for the person who confirms if there is one. */
export function NoteField({ confirmed = true, required = false, fault, value, onChange }: Props) {
  const fourEyes = useFourEyes();
  return (
    <Field
      label={words.note}
      help={confirmed && fourEyes ? words.noteHelp : words.noteHelpAlone}
      fault={fault}
      optional={!required}
    >
      {(control) => (
        <textarea
          {...control}
          rows={2}
          maxLength={4_000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="field-sizing-content max-h-60 min-h-20 w-full resize-y rounded border border-line-strong bg-surface px-3 py-2"
        />
      )}
    </Field>
  );
}
