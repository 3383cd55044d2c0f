import { type ReactNode, useState } from "react";
import { shownError } from "../api/problem.ts";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./form-fields.tsx";
import { Notice } from "./notice.tsx";

interface Props {
  title: string;
  /** What will happen, and to whom. */
  text?: ReactNode;
  /** The words of the button that does it. */
  act: string;
  /** Set if it cannot be taken back: it must be typed first. */
  word?: string;
  disabled?: boolean;
  mutation: { isPending: boolean; error: unknown; mutate(): void };
  onClose(): void;
  children?: ReactNode;
}

/** A form in a dialog. What cannot be taken back says what will happen, and asks for a word. */
export function FormDialog({ title, text, act, word, disabled, mutation, onClose, children }: Props) {
  const [typed, setTyped] = useState("");
  const ready = !disabled && !mutation.isPending && (word === undefined || typed.trim() === word);
  return (
    <Dialog open onOpenChange={(open) => !open && !mutation.isPending && onClose()} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) mutation.mutate();
        }}
      >
        {text && <div className="text-muted">{text}</div>}
        {children}
        {word !== undefined && <TextField label={words.form.type(word)} value={typed} onChange={setTyped} />}
        <WriteError error={mutation.error} />
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button disabled={mutation.isPending} onClick={onClose}>
            {words.form.cancel}
          </Button>
          <Button type="submit" kind={word === undefined ? "primary" : "danger"} disabled={!ready}>
            {mutation.isPending ? words.form.running : act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Why a write failed, and whether it took effect. */
export function WriteError({ error }: { error: unknown }) {
  if (!error) return null;
  const { kind, message, requestId } = shownError(error);
  const uncertain = kind === "unexpected" || kind === "offline" || kind === "unavailable";
  return (
    <div role="alert">
      <Notice meaning="bad">
        {message || words.errors[kind === "offline" ? "offline" : "unavailable"]}{" "}
        {uncertain ? words.form.uncertain : words.errors.lost.refusedWrite}
        {requestId && (
          <span className="block text-13">
            {words.errors.requestId} <span className="mono break-all">{requestId}</span>
          </span>
        )}
      </Notice>
    </div>
  );
}
