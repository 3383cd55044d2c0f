import { useFourEyes } from "../lib/use-four-eyes.ts";
import { words } from "../words.ts";
import { Field } from "./field.tsx";

const { acts: say } = words;

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
      label={say.note}
      help={confirmed && fourEyes ? say.noteHelp : say.noteHelpAlone}
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
