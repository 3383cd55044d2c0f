import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Me } from "../api/shapes.ts";
import { Icon } from "../ui/icon.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { NewNote } from "./new-note.tsx";
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
