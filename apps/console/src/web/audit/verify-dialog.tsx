import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { Notice } from "../ui/notice.tsx";
import { Progress } from "../ui/progress.tsx";
import { words } from "./words.ts";

const { verify: say } = words;

type Batch = RouterOutputs["audit"]["verify"];

const added = (sum: Batch, batch: Batch): Batch => ({
  ...batch,
  checkpoints: sum.checkpoints + batch.checkpoints,
  entries: sum.entries + batch.entries,
  problems: [...sum.problems, ...batch.problems],
  last: batch.last ?? sum.last,
  anchor: sum.anchor ?? batch.anchor,
});

/** Verifies the audit of one platform, batch by batch. Closing it ends the verification. */
export function VerifyDialog({ onClose }: { onClose(): void }) {
  const { me } = useMe();
  const [chosen, choose] = useState<string>();
  const [sum, setSum] = useState<Batch>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);
  const platformId = chosen ?? me?.platforms[0]?.platformId ?? "internal";
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      reading.current = new AbortController();
      const { signal } = reading.current;
      let now: Batch | undefined;
      setSum(now);
      for (let after: number | null = 0; after !== null; ) {
        const batch: Batch = await client.audit.verify.query({ platformId, after }, { signal });
        now = now ? added(now, batch) : batch;
        after = batch.next;
        setSum(now);
      }
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={say.title}>
      <div className="flex flex-col gap-4">
        <p className="text-muted">{say.lead}</p>
        <ChoiceField
          label={words.platform}
          value={platformId}
          options={[
            ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
            { value: "internal", text: shared.platforms.internal },
          ]}
          onChange={(next) => {
            reading.current?.abort();
            reset();
            setSum(undefined);
            choose(next);
          }}
        />
        <div role="status" className="flex min-h-10 flex-col gap-3">
          {isPending && (
            <Progress
              value={0}
              text={say.running(number(sum?.checkpoints ?? 0), number(sum?.entries ?? 0))}
            />
          )}
          {sum && <Found sum={sum} finished={isSuccess} />}
          <ActError error={error} reads />
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{shared.close}</Button>
          <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
            {say.act}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** What a verification has found so far. */
function Found({ sum, finished }: { sum: Batch; finished: boolean }) {
  const { checkpoints, entries, problems, last, anchor, pending } = sum;
  if (problems.length > 0)
    return (
      <Notice meaning="bad">
        <p className="font-semibold">{say.broken(problems.length)}</p>
        <p>{say.brokenText}</p>
        <ul className="mt-2 list-disc pl-4">
          {problems.map((problem) => (
            <li key={problem} className="break-words">
              {problem}
            </li>
          ))}
        </ul>
      </Notice>
    );
  if (!finished) return null;
  return (
    <>
      <Notice meaning="good">
        <span className="font-semibold">{say.intact}</span> {say.counts(number(checkpoints), number(entries))}{" "}
        {pending !== null && pending > 0 && say.pending(number(pending))}
        {anchor && say.anchor(anchor.number)}
      </Notice>
      {last && (
        <p className="text-13 text-muted">
          {say.last(last.number)} <span className="mono break-all text-text">{last.hash}</span>{" "}
          <Copy value={`${last.number}:${last.hash}`} label={say.copy} />
        </p>
      )}
    </>
  );
}
