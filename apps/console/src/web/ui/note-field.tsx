import { words } from "../words.ts";
import { FormField, textareaClass } from "./form-field.tsx";

/** Why, for the person who confirms. */
export function NoteField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <FormField label={words.acts.note} help={words.acts.noteHelp} optional>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          maxLength={4_000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={textareaClass}
        />
      )}
    </FormField>
  );
}
