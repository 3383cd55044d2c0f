import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useEffect, useRef, useState } from "react";
import { client } from "../api/client.ts";

type Batch = RouterOutputs["audit"]["verify"];

export interface Verification {
  at: "running" | "stopped" | "finished" | "failed";
  checkpoints: number;
  entries: number;
  problems: readonly string[];
  last: Batch["last"];
  anchor: Batch["anchor"];
  pending: number | null;
  error?: unknown;
}

const begun: Verification = {
  at: "running",
  checkpoints: 0,
  entries: 0,
  problems: [],
  last: null,
  anchor: null,
  pending: null,
};

/** Verifies a platform's audit batch by batch, each from where the one before ended. */
export function useVerification() {
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

const added = (before: Verification, batch: Batch): Verification => ({
  ...before,
  checkpoints: before.checkpoints + batch.checkpoints,
  entries: before.entries + batch.entries,
  problems: [...before.problems, ...batch.problems],
  last: batch.last ?? before.last,
  anchor: before.anchor ?? batch.anchor,
  pending: batch.pending,
});
