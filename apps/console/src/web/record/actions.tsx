import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { effectOf, shownError } from "../api/problem.ts";
import type { Attempted, ShownRecord } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { attemptLines } from "../lib/reply.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useMe } from "../lib/use-me.ts";
import { stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { patchRow, rowFields } from "../queue/patch-row.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { words } from "./words.ts";

const actions: readonly Action[] = ["refresh", "resend", "requeue"];

const isAction = (name: string | null): name is Action => actions.some((action) => action === name);

interface Props {
  record: ShownRecord;
  platform: string;
  reload(): Promise<void>;
  next: "here" | "elsewhere";
  onDecide(): void;
}

/** The one next step as the primary button, the other steps quietly beside it, and what came of the last one. */
export function Actions({ record, platform, reload, next, onDecide }: Props) {
  const [confirming, setConfirming] = useState(false);
  const { kycRecordId, resolution, needsAttentionSince } = record;
  const { mutate, isPending, variables, data, error } = useActions(kycRecordId, reload);
  const { me, may } = useMe();
  const mayAct = may("ops.records.act");
  const mayDecide = may("ops.records.decide");
  const run = (action: Action) => {
    if (isPending || !mayAct) return;
    if (action === "resend") setConfirming(true);
    else mutate(action);
  };
  useKeys({ r: () => run("refresh") });
  if (me && !mayAct) return <p className="text-muted">{words.notes.mayNot}</p>;

  const primary = isAction(record.next.action) ? record.next.action : undefined;
  // Where the provider's decision has to be entered, sending again would contradict the sentence above.
  const resolves = record.next.action === "resolve";
  const maySend = resolution === "unresolved" && !resolves;
  const possible = actions.filter(
    (action) =>
      action === "refresh" ||
      (action === "resend" && maySend) ||
      (action === "requeue" && needsAttentionSince !== null),
  );
  const button = (action: Action) => (
    <Button
      key={action}
      kind={action === primary && next === "here" ? "primary" : "plain"}
      disabled={isPending}
      title={words.actionText[action]}
      {...(action === "refresh" && { shortcut: "r" })}
      onClick={() => run(action)}
    >
      {words.actions[action]}
    </Button>
  );
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        {primary && button(primary)}
        {resolves && mayDecide && (
          <Button kind={next === "here" ? "primary" : "plain"} onClick={onDecide}>
            {shared.decision.enter}
          </Button>
        )}
        {possible.filter((action) => action !== primary).map(button)}
      </div>
      <p className="mt-2 text-13 text-muted">
        {!resolves
          ? words.actionText[primary ?? "refresh"]
          : mayDecide
            ? shared.decision.closed
            : words.byCompliance}
      </p>
      <div role="status" className="mt-2 empty:mt-0">
        {isPending ? (
          <Notice meaning="waiting">{words.running[variables]}</Notice>
        ) : error ? (
          <Notice meaning="bad">
            {shownError(error).message || shared.errors.unavailable} {effectOf(error)}
          </Notice>
        ) : data ? (
          <Notice meaning={data.changed ? "good" : "plain"}>
            {data.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        ) : null}
      </div>
      <Dialog open={confirming} onOpenChange={setConfirming} title={words.confirm.resendTitle}>
        <p className="text-16 text-muted">{words.confirm.resendText(shortId(kycRecordId), platform)}</p>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Button onClick={() => setConfirming(false)}>{words.confirm.cancel}</Button>
          <Button
            kind="primary"
            onClick={() => {
              setConfirming(false);
              mutate("resend");
            }}
          >
            {words.confirm.resend}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

type Action = "refresh" | "resend" | "requeue";

/** What came of an action. */
interface Done {
  changed: boolean;
  lines: string[];
}

/** Runs what an operator does with a record. The result is words for the place where it was started. */
function useActions(kycRecordId: string, reload: () => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (action: Action): Promise<Done> => {
      const { result } = shared.record;
      if (action === "requeue") {
        patchRow(queries, kycRecordId, rowFields(await client.records.requeue.mutate({ kycRecordId })));
        return { changed: true, lines: [result.requeued] };
      }
      const attempted = await client.records[action].mutate({ kycRecordId });
      if (attempted.after) patchRow(queries, kycRecordId, rowFields(attempted.after));
      return describe(attempted);
    },
    onSettled: reload,
  });
}

/** What the provider replied, and what it changed. */
function describe({ before, after, ...replies }: Attempted): Done {
  const { result } = shared.record;
  const lines = attemptLines(replies);
  if (!after) return { changed: false, lines: [...lines, result.notStored] };
  const [from, to] = [stateOf(before).word, stateOf(after).word];
  const changed = from !== to;
  return { changed, lines: [...lines, changed ? result.changed(from, to) : result.unchanged] };
}
