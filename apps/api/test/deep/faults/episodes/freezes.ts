import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import type { ProviderFault } from "../cluster/provider-proxy.ts";
import type { ServiceFailPoint } from "../program/points.ts";
import type { Episode } from "./episode.ts";

/** A record with the transaction that wrote it last. */
const stateOf = async ({ query }: Cluster, id: string) => {
  const text = "select xmin::text, * from kyc_records where id = $1";
  return (await query<Record<string, unknown>>(text, [id]))[0];
};

/** Whether the process is frozen. Before, it could still store what its attempt learns. */
const isStopped = (pid: number | undefined) => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

const frozenAt = (point: ServiceFailPoint, ask: ProviderFault): Episode => ({
  number: 10,
  title: `a worker frozen at ${point} past its lease, then continued`,
  async run(cluster) {
    const front = await cluster.startService();
    const submission = cluster.newSubmission("pending");
    front.provider.plan(submission.email, { put: [{ effect: true, answer: http(503, "{}") }] });
    const { body } = await cluster.submit(front, submission);
    const id = body.kycRecordId ?? "";

    const frozen = await cluster.startService({
      run: "worker",
      failPoint: `${point}:freeze`,
      // One attempt queries the provider up to three times.
      prepare: (provider) => provider.plan(id, { ask: [ask, ask, ask] }),
    });
    await until(() => isStopped(frozen.child.pid));
    await cluster.expireLeases();
    const other = await cluster.startService({ run: "worker" });
    await until(async () => (await stateOf(cluster, id))?.resolution === "answered");
    await other.end("SIGTERM");

    const stored = await stateOf(cluster, id);
    frozen.child.kill("SIGCONT");
    await until(() => frozen.output().includes(`fail-point ${point}`));
    // It finishes the active attempt before it ends.
    expect(await frozen.end("SIGTERM")).toBe(0);
    expect(await stateOf(cluster, id)).toEqual(stored);
  },
});

/** The time after its lease within which the process sends, in milliseconds. */
const marginMs = 1_000;

const frozenBeforeSending: Episode = {
  number: 10,
  title: "an API frozen before it sends, past its lease, then continued",
  async run(cluster) {
    const env = { LEASE_MARGIN_MS: String(marginMs) };
    const frozen = await cluster.startService({ failPoint: "createOrReplay.after:freeze", env });
    const replied = cluster.submit(frozen, cluster.newSubmission());
    await until(() => isStopped(frozen.child.pid));
    const other = await cluster.startService({ run: "worker" });
    await cluster.expireLeases();
    await until(async () => {
      await cluster.expireDelays();
      return (await cluster.providerLedger()).executions.length === 1;
    });
    await other.end("SIGTERM");
    await wait(marginMs);
    frozen.child.kill("SIGCONT");
    // The invariants find a submission that is sent again after its effect.
    expect(await replied).toMatchObject({ status: 202 });
  },
};

/** Fault 10: processes that freeze. */
export const freezes: Episode[] = [
  frozenBeforeSending,
  frozenAt("storeVerdict.before", { effect: true, answer: "pass" }),
  frozenAt("reschedule.before", { effect: false, answer: http(503, "{}") }),
];
