import { useFourEyes } from "../lib/use-four-eyes.ts";
import { TextArea } from "./form-fields.tsx";

const words = {
  note: "Note",
  noteHelp: "Why, for the person who confirms it, and for the notes.",
  noteHelpAlone: "Why, for the notes.",
} as const;

interface Props {
  /** Whether the act needs a second person, if four eyes are on. */
  confirmed?: boolean;
  required?: boolean;
  help?: string;
  /** Why the note cannot be sent. */
  fault?: string | undefined;
  value: string;
  onChange(value: string): void;
}

/** Why, for the notes, and for the person who confirms if there is one. */
export function NoteField({ confirmed = true, required = false, help, ...props }: Props) {
  const fourEyes = useFourEyes();
  const reader = confirmed && fourEyes ? words.noteHelp : words.noteHelpAlone;
  return <TextArea {...props} label={words.note} help={help ?? reader} optional={!required} />;
}
