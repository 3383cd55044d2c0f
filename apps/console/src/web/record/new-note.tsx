import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { words } from "./words.ts";

const { notes: say } = words;

interface Props {
  kycRecordId: string;
  mayRestrict: boolean;
  onAdded(): Promise<void>;
}

/** A new note. Its text stays until it is stored. */
export function NewNote({ kycRecordId, mayRestrict, onAdded }: Props) {
  const [text, setText] = useState("");
  const [restricted, setRestricted] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => client.records.addNote.mutate({ kycRecordId, text: text.trim(), restricted }),
    onSuccess: async () => {
      setText("");
      setRestricted(false);
      field.current?.focus();
      await onAdded();
    },
  });
  const add = () => text.trim() !== "" && !isPending && mutate();
  return (
    <form
      className="border-t border-line px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label htmlFor="note" className="mb-1 block text-13 text-muted">
        {say.label}
      </label>
      <textarea
        id="note"
        ref={field}
        value={text}
        rows={3}
        maxLength={4_000}
        placeholder={say.placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) add();
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        className="field-sizing-content max-h-80 min-h-20 w-full resize-y rounded border border-line-strong bg-surface px-3 py-2"
      />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
        {mayRestrict ? (
          <label className="flex min-h-6 items-center gap-2 text-13">
            <input
              type="checkbox"
              checked={restricted}
              onChange={(event) => setRestricted(event.target.checked)}
              className="size-4 accent-accent"
            />
            {say.restricted}
          </label>
        ) : (
          <span />
        )}
        <Button type="submit" disabled={isPending || text.trim() === ""} shortcut={say.keys}>
          {isPending ? say.adding : say.add}
        </Button>
      </div>
      <div role="status" className="mt-2 empty:mt-0">
        {error ? (
          <Notice meaning="bad">
            {shownError(error).message || shared.errors.offline}. {say.kept}
          </Notice>
        ) : isSuccess && text === "" ? (
          <Notice meaning="good">{say.added}</Notice>
        ) : null}
      </div>
    </form>
  );
}
