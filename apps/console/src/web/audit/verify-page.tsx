import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useEffect, useRef, useState } from "react";
import { client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { Head } from "../ui/head.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Progress } from "../ui/progress.tsx";
import { Card, Fact } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { AuditTabs } from "./tabs.tsx";
import { words } from "./words.ts";

const begun: Verification = {
  at: "running",
  checkpoints: 0,
  entries: 0,
  problems: [],
  last: null,
  anchor: null,
  pending: null,
};

const added = (before: Verification, batch: Batch): Verification => ({
  ...before,
  checkpoints: before.checkpoints + batch.checkpoints,
  entries: before.entries + batch.entries,
  problems: [...before.problems, ...batch.problems],
  last: batch.last ?? before.last,
  anchor: before.anchor ?? batch.anchor,
  pending: batch.pending,
});

const { verify: say } = words;

/** Verifies the audit of one platform. */
export function VerifyPage() {
  const { me } = useMe();
  const [chosen, choose] = useState<string>();
  const { state, start, stop } = useVerification();
  const platformId = chosen ?? me?.platforms[0]?.platformId ?? "internal";
  const running = state?.at === "running";
  return (
    <Page>
      <Head title={words.title} lead={say.lead} />
      <AuditTabs />
      <form
        className="flex max-w-xl flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!running) void start(platformId);
        }}
      >
        <div className="min-w-0 flex-1">
          <ChoiceField
            label={words.platform}
            value={platformId}
            options={[
              ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
              { value: "internal", text: shared.platforms.internal },
            ]}
            onChange={choose}
          />
        </div>
        {running ? (
          <Button onClick={stop}>{say.stop}</Button>
        ) : (
          <Button type="submit" kind="primary">
            {say.act}
          </Button>
        )}
      </form>
      <div role="status" className="mt-6 max-w-3xl">
        {state && <Verified state={state} onRetry={() => void start(platformId)} />}
      </div>
    </Page>
  );
}

/** What a verification has found so far. */
function Verified({ state, onRetry }: { state: Verification; onRetry(): void }) {
  const { at, checkpoints, entries, problems, last, anchor, pending, error } = state;
  const counts = [number(checkpoints), number(entries)] as const;
  return (
    <div className="flex flex-col gap-4">
      {at === "running" && <Progress value={entries} text={say.running(...counts)} />}
      {at === "stopped" && <Notice meaning="waiting">{say.stopped}</Notice>}
      {at === "failed" && (
        <Card>
          <ErrorState error={error} onRetry={onRetry} />
        </Card>
      )}
      {problems.length > 0 && (
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
      )}
      {at === "finished" && problems.length === 0 && (
        <Notice meaning="good">
          <span className="font-semibold">{say.intact}</span> {say.counts(...counts)}.{" "}
          {pending !== null && pending > 0 && say.pending(number(pending))}
        </Notice>
      )}
      {last && (
        <div>
          <Card>
            <dl>
              <Fact name={say.last}>{say.number(last.number)}</Fact>
              <Fact name={say.hash}>
                <span className="flex min-w-0 items-center gap-2">
                  <span className="mono min-w-0 break-all">{last.hash}</span>
                  <Copy value={last.hash} label={shared.copy.id(say.hash)} />
                </span>
              </Fact>
            </dl>
          </Card>
          <p className="mt-2 text-13 text-muted">
            {say.lastNote} {anchor && say.anchor(anchor.number)}
          </p>
        </div>
      )}
    </div>
  );
}

type Batch = RouterOutputs["audit"]["verify"];

interface Verification {
  at: "running" | "stopped" | "finished" | "failed";
  checkpoints: number;
  entries: number;
  problems: readonly string[];
  last: Batch["last"];
  anchor: Batch["anchor"];
  pending: number | null;
  error?: unknown;
}

/** Verifies a platform's audit batch by batch, each from where the one before ended. */
function useVerification() {
  const [state, setState] = useState<Verification>();
  const reading = useRef<AbortController>(undefined);
  useEffect(() => () => reading.current?.abort(), []);

  async function start(platformId: string) {
    reading.current?.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    let now = begun;
    setState(now);
    try {
      for (let after: number | null = 0; after !== null; ) {
        const batch: Batch = await client.audit.verify.query({ platformId, after }, { signal });
        now = added(now, batch);
        after = batch.next;
        if (!signal.aborted) setState(after === null ? { ...now, at: "finished" } : now);
      }
    } catch (error) {
      if (!signal.aborted) setState({ ...now, at: "failed", error });
    }
  }

  function stop() {
    reading.current?.abort();
    setState((now) => now && { ...now, at: "stopped" });
  }

  return { state, start, stop };
}
