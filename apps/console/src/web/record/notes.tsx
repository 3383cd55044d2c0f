import type { RouterOutputs } from "@cardbridge/trpc-client";
import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Me } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "./words.ts";

const { notes: say } = words;
type NotePage = RouterOutputs["records"]["notes"];

interface Props {
  kycRecordId: string;
  notes: Pick<UseQueryResult<NotePage, unknown>, "data" | "error" | "refetch">;
  me: Me | undefined;
  onAdded(): Promise<void>;
}

/** What colleagues wrote about a record, and a new note. */
export function Notes({ kycRecordId, notes: { data, error, refetch }, me, onAdded }: Props) {
  return (
    <Section title={say.title}>
      <Card>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <div className="px-4 py-3">
            <Bar className="h-5 w-64 max-w-full" />
          </div>
        ) : (
          <>
            {data.notes.length === 0 && data.hidden === 0 && (
              <p className="px-4 py-3 text-muted">{say.empty}</p>
            )}
            <ul>
              {data.notes.map((note) => (
                <Note key={note.noteId} note={note} />
              ))}
            </ul>
            {data.hidden > 0 && (
              <p className="flex items-center gap-2 border-t border-line px-4 py-2 text-13 text-muted">
                <Icon name="lock" /> {say.hidden(data.hidden)}
              </p>
            )}
          </>
        )}
        {me?.scopes.includes("ops.records.act") && (
          <NewNote
            kycRecordId={kycRecordId}
            mayRestrict={me.scopes.includes("ops.compliance")}
            onAdded={onAdded}
          />
        )}
      </Card>
    </Section>
  );
}

function Note({ note }: { note: NotePage["notes"][number] }) {
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <p className="flex flex-wrap items-center gap-x-2 text-13 text-muted">
        <strong className="font-semibold text-text">{note.by?.name ?? say.unknownAuthor}</strong>
        <Time at={note.createdAt} />
        {note.restricted && (
          <span className="inline-flex items-center gap-1 text-attention">
            <Icon name="lock" /> {say.restrictedMark}
          </span>
        )}
      </p>
      <p className="mt-1 max-w-[72ch] break-words whitespace-pre-wrap">{note.text}</p>
    </li>
  );
}

interface NewNoteProps {
  kycRecordId: string;
  mayRestrict: boolean;
  onAdded(): Promise<void>;
}

/** A new note. Its text stays until it is stored. */
function NewNote({ kycRecordId, mayRestrict, onAdded }: NewNoteProps) {
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
