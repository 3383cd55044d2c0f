import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Me, ShownRecord } from "../api/shapes.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useMe } from "../lib/use-me.ts";
import { stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { patchRow } from "../queue/patch-row.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class.ts";
import { Copy } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { Actions } from "./actions.tsx";
import { decidersOf } from "./decided-by.ts";
import { Deciders } from "./deciders.tsx";

const words = {
  submitted: "submitted",
  tell: "Tell the person",
  tellText: "Words for the person",
  tellStale: "The record changed. Show the new state before you repeat this.",
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

interface Props {
  record: ShownRecord;
  me: Me | undefined;
  /** Whether the record has another state now. */
  isStale: boolean;
  reload(): Promise<void>;
  /** Whether the one next step is among the head's buttons, or already below or with another person. */
  next: "here" | "elsewhere";
  /** Begins to enter the provider's decision. */
  onDecide(): void;
}

/** Who and what, and before everything else what to do. */
export function Head({ record, me, isStale, reload, ...step }: Props) {
  const state = stateOf(record);
  const { platformId, externalUserId, next } = record;
  // A record has at most one manual decision.
  const decision = next.manual ? record.history.find(({ source }) => source === "person") : undefined;
  const platform = useMe().platformName(platformId);
  return (
    <header className="rounded border border-line bg-surface">
      <div className="px-4 pt-4 md:px-5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
          <StateMark {...state} />
          <span className="truncate">{platform}</span>
          <Id
            id={externalUserId}
            to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } }}
          />
          <span>
            {words.submitted} <Time at={record.createdAt} />
          </span>
        </div>
        <h1 className="mt-3 max-w-[72ch] text-20 font-semibold tracking-tight text-pretty">
          {next.operator}
        </h1>
        {decision && (
          <p className="mt-1 text-muted">
            <Deciders deciders={decidersOf(decision, record.persons)} />
          </p>
        )}
      </div>
      <div className="grid gap-x-8 gap-y-4 px-4 pt-4 pb-4 md:px-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Actions record={record} platform={platform} reload={reload} {...step} />
        <Assignment record={record} me={me} reload={reload} />
      </div>
      {next.person && <Tell text={next.person} isStale={isStale} />}
    </header>
  );
}

interface TellProps {
  text: string;
  /** Whether the record has another state now, so that the words may be wrong. */
  isStale: boolean;
}

/** Words that a support agent can repeat to the person. */
function Tell({ text, isStale }: TellProps) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 sm:flex-row sm:items-baseline md:px-5">
      <p className="shrink-0 text-13 font-medium text-muted">{words.tell}</p>
      <div className="max-w-[72ch]">
        <p className={cx("text-14", isStale && "text-muted")}>“{text}”</p>
        <p
          aria-live="polite"
          className="flex items-start gap-1.5 text-13 font-medium text-attention empty:hidden"
        >
          {isStale && (
            <>
              <Icon name="warning" className="mt-0.5" />
              {words.tellStale}
            </>
          )}
        </p>
      </div>
      <Copy
        value={text}
        label={words.tellText}
        text={shared.copy.text}
        disabled={isStale}
        className="-ml-2 self-start sm:-mr-2 sm:ml-auto sm:self-baseline"
      />
    </div>
  );
}

const { assignment: say } = words;

interface AssignmentProps {
  record: ShownRecord;
  me: Me | undefined;
  reload(): Promise<void>;
}

/** Who has the record. Of two persons who take it at once, the second one reads who was first. */
function Assignment({ record: { kycRecordId, assignee, assignmentVersion }, me, reload }: AssignmentProps) {
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
