import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Me, ShownRecord } from "../api/shapes.ts";
import { useKeys } from "../lib/use-keys.ts";
import { shared } from "../lib/words.ts";
import { patchRow } from "../queue/patch-row.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

const words = {
  assignment: {
    title: "Assigned to",
    nobody: "Nobody",
    you: "You",
    toMe: "Assign to me",
    takeOver: "Take over",
    release: "Release",
    done: "It is yours.",
    released: "Released. Others see it as free.",
    taken: (name: string) => `${name} took it a moment ago. You see the new state.`,
  },
} as const;

const { assignment: say } = words;

interface Props {
  record: ShownRecord;
  me: Me | undefined;
  reload(): Promise<void>;
}

/** Who has the record. Of two persons who take it at once, the second one reads who was first. */
export function Assignment({ record: { kycRecordId, assignee, assignmentVersion }, me, reload }: Props) {
  const queries = useQueryClient();
  const isMine = assignee !== null && assignee.personId === me?.personId;
  const mayAct = me?.scopes.includes("ops.records.act") ?? false;
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: (to: string | null) =>
      client.records.assign.mutate({ kycRecordId, assignee: to, version: assignmentVersion }),
    onSuccess: ({ assignee: to, version }) =>
      patchRow(queries, kycRecordId, { assignee: to, assignmentVersion: version }),
    onSettled: async () => {
      await queries.invalidateQueries(api.records.state.queryFilter({ kycRecordId }));
      await reload();
    },
  });
  const take = () => {
    reset();
    if (me && mayAct && !isMine) mutate(me.personId);
  };
  useKeys({ a: take });
  const conflict = error && shownError(error).kind === "conflict";
  return (
    <div className="min-w-0 lg:pl-1">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0">
          <span className="text-muted">{say.title} </span>
          <strong className="font-semibold">
            {assignee === null ? say.nobody : isMine ? say.you : (assignee.name ?? shared.person.unnamed)}
          </strong>
        </span>
        {mayAct &&
          (isMine ? (
            <Button disabled={isPending} onClick={() => mutate(null)}>
              {say.release}
            </Button>
          ) : (
            <Button disabled={isPending} shortcut="a" onClick={take}>
              {assignee === null ? say.toMe : say.takeOver}
            </Button>
          ))}
      </div>
      <div role="status" className="mt-2 empty:mt-0">
        {error ? (
          <Notice meaning={conflict ? "attention" : "bad"}>
            {conflict
              ? say.taken(assignee?.name ?? shared.person.unnamed)
              : shownError(error).message || shared.errors.offline}
          </Notice>
        ) : data ? (
          <Notice meaning="good">{data.assignee === null ? say.released : say.done}</Notice>
        ) : null}
      </div>
    </div>
  );
}
