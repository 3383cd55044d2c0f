import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import type { Attempted, ShownRecord } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { attemptLines } from "../lib/reply.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useMe } from "../lib/use-me.ts";
import { stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { patchRow, rowFields } from "../queue/patch-row.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

const words = {
  refresh: "Refresh",
  resend: "Send again",
  requeue: "Requeue",
  handOver: "Hand over",
  text: {
    refresh: "Asks the provider for the outcome. Sends no submission.",
    resend: "Asks first. Sends the submission again only if the provider does not know it.",
    requeue: "Lets the workers try again, beginning now.",
  },
  resendTitle: "Send the submission again?",
  resendText: (id: string, platform: string) =>
    `The provider is asked about ${id} of ${platform} first. Only if it does not know the submission, the stored one is sent under the same reference, so it counts once.`,
  running: {
    refresh: "Asking the provider…",
    resend: "Asking, then sending…",
    requeue: "Handing it to the workers…",
  },
  mayNot: "Your role reads records and notes.",
} as const;

type Action = keyof typeof words.text;

interface Props {
  record: ShownRecord;
  platform: string;
  reload(): Promise<void>;
  isElsewhere: boolean;
  /** Whether other roles do what the sentence asks for. */
  isForOthers: boolean;
  onDecide: (() => void) | undefined;
  onHandOver(): void;
}

/** The one next step as the primary button, the other steps quietly beside it, and what came of the last one. */
export function Actions(props: Props) {
  const { record, platform, reload, isElsewhere, isForOthers, onDecide, onHandOver } = props;
  const { kycRecordId, resolution, needsAttentionSince, next } = record;
  const [confirming, setConfirming] = useState(false);
  const { mutate, isPending, variables, data, error } = useActions(kycRecordId, reload);
  const { me, may } = useMe();
  const mayAct = may("ops.records.act");
  // Where the provider's decision has to be entered, sending again would contradict the sentence above.
  const mayTry = mayAct && next.action !== "resolve";
  const maySend = mayTry && resolution === "unresolved";
  const resend = () => maySend && !isPending && setConfirming(true);
  const refresh = () => mayAct && !isPending && mutate("refresh");
  useKeys({
    r: refresh,
    s: resend,
    h: () => mayAct && onHandOver(),
    d: () => onDecide?.(),
  });
  if (!mayAct) return <p className="text-muted">{me && !isForOthers && words.mayNot}</p>;

  const steps = [
    { is: next.action === "resolve", name: shared.decision.enter, key: "d", act: onDecide },
    { is: next.action === "resend", name: words.resend, key: "s", act: maySend ? resend : undefined },
    {
      is: next.action === "requeue",
      name: words.requeue,
      act: mayTry && needsAttentionSince !== null ? () => mutate("requeue") : undefined,
    },
    { is: next.action === "refresh", name: words.refresh, key: "r", act: refresh },
    { is: isForOthers, name: words.handOver, key: "h", act: onHandOver },
  ];
  const text = words.text[next.action as Action];
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        {steps
          .toSorted((a, b) => Number(b.is) - Number(a.is))
          .map(
            ({ is, name, key, act }) =>
              act && (
                <Button
                  key={name}
                  kind={is && !isElsewhere ? "primary" : "plain"}
                  disabled={isPending}
                  {...(key && { shortcut: key })}
                  onClick={act}
                >
                  {name}
                </Button>
              ),
          )}
      </div>
      {text && <p className="mt-2 text-13 text-muted">{text}</p>}
      <div role="status" className="mt-2 empty:mt-0">
        {isPending ? (
          <Notice meaning="waiting">{words.running[variables]}</Notice>
        ) : error ? (
          <ActError error={error} />
        ) : data ? (
          <Notice meaning={data.changed ? "good" : "plain"}>
            {data.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        ) : null}
      </div>
      <ActDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={words.resendTitle}
        happens={words.resendText(shortId(kycRecordId), platform)}
        act={words.resend}
        focusAct
        mutation={{ isPending: false, error: null }}
        onAct={() => {
          setConfirming(false);
          mutate("resend");
        }}
      />
    </div>
  );
}

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
      if (action === "requeue") {
        patchRow(queries, kycRecordId, rowFields(await client.records.requeue.mutate({ kycRecordId })));
        return { changed: true, lines: [shared.record.result.requeued] };
      }
      const attempted = await client.records[action].mutate({ kycRecordId });
      if (attempted.after) patchRow(queries, kycRecordId, rowFields(attempted.after));
      return describe(attempted, action);
    },
    onSettled: reload,
  });
}

/** What the provider replied, and what it changed. */
function describe({ before, after, ...replies }: Attempted, action: "refresh" | "resend"): Done {
  const { result } = shared.record;
  const isUnsent = action === "resend" && replies.asked.outcome === "not-found" && !replies.sent;
  const lines = [...attemptLines(replies), ...(isUnsent ? [result.askAgain] : [])];
  if (!after) return { changed: false, lines: [...lines, result.notStored] };
  const [from, to] = [stateOf(before).word, stateOf(after).word];
  const changed = from !== to;
  return { changed, lines: [...lines, changed ? result.changed(from, to) : result.unchanged] };
}
