import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { shared } from "../lib/words.ts";
import { ActError } from "./act-error.tsx";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./form-fields.tsx";
import { RecentSignIn, useIsRecent } from "./recent-sign-in.tsx";

const words = {
  running: "Working…",
  type: (word: string) => `Type ${word} to confirm`,
} as const;

interface Props {
  open?: boolean;
  onClose(): void;
  title: string;
  /** What will happen, and to whom. */
  happens?: string | undefined;
  /** The words of the button, and those while it runs. */
  act: string;
  running?: string;
  /** The state of the act. */
  mutation: { isPending: boolean; error: unknown };
  onAct(): void;
  /** The act only reads. */
  reads?: boolean;
  danger?: boolean;
  /** The button of the act has the focus first: Enter acts. For what can be repeated without harm. */
  focusAct?: boolean;
  /** Set if the act cannot be taken back: it is typed first. */
  word?: string | undefined;
  /** Whether the act needs a recent sign-in. */
  recent?: boolean;
  /** Whether the fields can be sent. */
  ready?: boolean;
  children?: ReactNode;
}

/** A dialog before an act: what will happen, what it needs, and the word if it cannot be taken back. */
export function ActDialog({ open = true, onClose, title, focusAct, ...props }: Props) {
  const { isPending } = props.mutation;
  const act = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !isPending && onClose()}
      title={title}
      focus={focusAct ? act : undefined}
    >
      <Act {...props} actRef={act} onCancel={onClose} />
    </Dialog>
  );
}

interface ActProps extends Omit<Props, "open" | "onClose" | "title" | "focusAct"> {
  actRef: RefObject<HTMLButtonElement | null>;
  onCancel(): void;
}

function Act({ happens, act, mutation: { isPending, error }, word, ...props }: ActProps) {
  const { running = words.running, danger = word !== undefined, recent = false, ready = true } = props;
  const [typed, setTyped] = useState("");
  const mustSignIn = !useIsRecent() && recent;
  // After a failure the word is typed again.
  useEffect(() => {
    if (error) setTyped("");
  }, [error]);
  const isReady = ready && !mustSignIn && !isPending && (word === undefined || typed.trim() === word);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) props.onAct();
      }}
    >
      {happens && <p className="text-16 wrap-break-word text-muted">{happens}</p>}
      {mustSignIn && <RecentSignIn />}
      {props.children}
      {word !== undefined && (
        <TextField
          className="max-w-72"
          mono
          label={words.type(word)}
          value={typed}
          autoCapitalize="off"
          onChange={setTyped}
        />
      )}
      <ActError error={error} reads={props.reads} />
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button disabled={isPending} onClick={props.onCancel}>
          {shared.acts.cancel}
        </Button>
        <Button ref={props.actRef} type="submit" kind={danger ? "danger" : "primary"} disabled={!isReady}>
          {isPending ? running : act}
        </Button>
      </div>
    </form>
  );
}
