import { type ReactNode, useEffect, useState } from "react";
import { words } from "../words.ts";
import { ActError } from "./act-error.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FormField, inputClass } from "./form-field.tsx";

interface Props {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** What will happen, and to whom. */
  happens: string;
  /** The words of the button. */
  act: string;
  running: string;
  isPending: boolean;
  error: unknown;
  /** Says more about an error than the service does. */
  errorText?: string | undefined;
  danger?: boolean;
  /** The act only reads. */
  reads?: boolean;
  /** What the person has to type before the act. */
  word?: string;
  /** Whether the fields can be sent. */
  ready?: boolean;
  onAct(): void;
  children?: ReactNode;
}

/** A dialog before an act: what will happen, what it needs, and the word if it cannot be taken back. */
export function ActDialog({ open, onOpenChange, title, happens, children, ...act }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <Act {...act} happens={happens} onCancel={() => onOpenChange(false)}>
        {children}
      </Act>
    </Dialog>
  );
}

type ActProps = Omit<Props, "open" | "onOpenChange" | "title"> & { onCancel(): void };

function Act({ happens, act, running, isPending, danger, word, ready = true, ...props }: ActProps) {
  const { error, errorText, reads, onAct, onCancel, children } = props;
  const [typed, setTyped] = useState("");
  // After a failure the word is typed again.
  useEffect(() => {
    if (error) setTyped("");
  }, [error]);
  const isReady = ready && !isPending && (word === undefined || typed.trim() === word);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAct();
      }}
    >
      <p className="text-16 text-muted">{happens}</p>
      {children}
      {word !== undefined && (
        <FormField label={words.acts.type(word)}>
          {(control) => (
            <input
              {...control}
              type="text"
              value={typed}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onChange={(event) => setTyped(event.target.value)}
              className={`${inputClass} mono max-w-48`}
            />
          )}
        </FormField>
      )}
      <div role="alert" className="empty:hidden">
        {error && !isPending ? <ActError error={error} text={errorText} reads={reads} /> : null}
      </div>
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{words.acts.cancel}</Button>
        <Button type="submit" kind={danger ? "danger" : "primary"} disabled={!isReady}>
          {isPending ? running : act}
        </Button>
      </div>
    </form>
  );
}
