import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { patchRow } from "../queue/patch-row.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { NoteField } from "../ui/note-field.tsx";

const words = {
  title: "Assigned to",
  nobody: "Nobody",
  you: "You",
  everybody: (role: string) => `${role}, everybody`,
  toMe: "Assign to me",
  takeOver: "Take over",
  release: "Release",
  taken: (name: string) => `${name} took it a moment ago. You see the new state.`,
  handOver: "Hand over",
  handOverText: "They find it among those that are assigned to them, with your note.",
  handing: "Handing over…",
  to: "To",
  noteHelp: "What you found, and what they have to do.",
} as const;

type Role = keyof typeof shared.person.role;
type To = { assignee: string } | { role: Role } | { assignee: null };

/** Who has a record: a person, a role, or nobody. */
function holderOf({ assignee, assignedRole }: Pick<ShownRecord, "assignee" | "assignedRole">, me?: string) {
  if (assignedRole) return words.everybody(shared.person.role[assignedRole]);
  if (assignee === null) return words.nobody;
  return assignee.personId === me ? words.you : (assignee.name ?? shared.person.unnamed);
}

/** Assigns a record. Of two persons who take it at once, the second one reads who was first. */
export function useAssign({ kycRecordId, assignmentVersion }: ShownRecord, reload: () => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (to: To & { note?: string }) =>
      client.records.assign.mutate({ kycRecordId, version: assignmentVersion, ...to }),
    onSuccess: ({ assignee, assignedRole, version }) =>
      patchRow(queries, kycRecordId, { assignee, assignedRole, assignmentVersion: version }),
    onSettled: async () => {
      await queries.invalidateQueries(api.records.state.queryFilter({ kycRecordId }));
      await reload();
    },
  });
}

interface Props {
  record: ShownRecord;
  assign: ReturnType<typeof useAssign>;
}

/** Who has the record, and the button to take or to release it. */
export function Assignment({ record, assign: { mutate, isPending, error } }: Props) {
  const { me, may } = useMe();
  const mayAct = may("ops.records.act");
  const isMine = record.assignee !== null && record.assignee.personId === me?.personId;
  const isFree = record.assignee === null && record.assignedRole === null;
  const take = () => {
    if (me && mayAct && !isMine && !isPending) mutate({ assignee: me.personId });
  };
  useKeys({ a: take });
  const isTaken = error !== null && shownError(error).kind === "conflict";
  return (
    <div className="min-w-0 lg:pl-1">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        <span role="status" className="min-w-0">
          <span className="text-muted">{words.title} </span>
          <strong className="font-semibold">{holderOf(record, me?.personId)}</strong>
        </span>
        {mayAct &&
          (isMine ? (
            <Button disabled={isPending} onClick={() => mutate({ assignee: null })}>
              {words.release}
            </Button>
          ) : (
            <Button disabled={isPending} shortcut="a" onClick={take}>
              {isFree ? words.toMe : words.takeOver}
            </Button>
          ))}
      </div>
      <div className="mt-2 empty:mt-0">
        <ActError error={error} text={isTaken ? words.taken(holderOf(record)) : undefined} />
      </div>
    </div>
  );
}

interface HandOverProps extends Props {
  open: boolean;
  onClose(): void;
}

/** Gives a record to a person or to a role, with a note for them. The role that can go on is chosen in advance. */
export function HandOver({ record, assign, open, onClose }: HandOverProps) {
  const { me } = useMe();
  const { roles } = record.next;
  const canGoOn = roles.some((role) => me?.roles.includes(role)) ? undefined : roles[0];
  const [to, setTo] = useState<string>(canGoOn ?? "");
  const [note, setNote] = useState("");
  const { data } = useQuery({ ...api.persons.colleagues.queryOptions({}), enabled: open });
  const colleagues = data?.colleagues.filter(({ personId, name }) => name && personId !== me?.personId) ?? [];
  const known = new Set<Role>([...roles, ...colleagues.flatMap((colleague) => colleague.roles)]);
  const actors = (Object.keys(shared.person.role) as Role[]).filter((role) => known.has(role));
  const nameOf = (role: Role) => shared.person.role[role];
  const options = [
    ...actors.map((role) => ({ value: role as string, text: words.everybody(nameOf(role)) })),
    ...colleagues.map(({ personId, name, roles: theirs }) => ({
      value: personId,
      text: `${name} · ${theirs.map(nameOf).join(", ")}`,
    })),
  ];
  return (
    <ActDialog
      open={open}
      onClose={onClose}
      title={words.handOver}
      happens={words.handOverText}
      act={words.handOver}
      running={words.handing}
      mutation={assign}
      ready={to !== "" && note.trim() !== ""}
      onAct={() =>
        assign.mutate(
          { ...(to.startsWith("per_") ? { assignee: to } : { role: to as Role }), note: note.trim() },
          {
            onSuccess: () => {
              setNote("");
              onClose();
            },
          },
        )
      }
    >
      <ChoiceField label={words.to} value={to} options={options} onChange={setTo} />
      <NoteField confirmed={false} required help={words.noteHelp} value={note} onChange={setNote} />
    </ActDialog>
  );
}
