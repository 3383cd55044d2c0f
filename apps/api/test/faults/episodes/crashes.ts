import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { burst, type Episode } from "../play.ts";
import { http } from "../provider-proxy.ts";
import type { Service, Stage } from "../stage.ts";
import { failPointEpisode } from "./fail-points.ts";

const killedAt = (row: number, title: string, point: string): Episode => ({
  ...failPointEpisode(point, "kill"),
  row,
  title,
});

const stateOf = async (stage: Stage, id: string) =>
  (await stage.rows<Record<string, unknown>>("select xmin::text, * from kyc_records where id = $1", [id]))[0];

const unknownFirst = () => ({ put: [{ effect: false, answer: http(503, "{}") }] });

const frozenAt = (point: string, ask: { effect: boolean; answer: "pass" | { bytes: string } }): Episode => ({
  row: 10,
  title: `a worker frozen at ${point} past its lease, then continued`,
  async run(stage) {
    const front = await stage.service();
    const submission = stage.submission("pending");
    front.provider.plan(submission.email, { put: [{ effect: true, answer: http(503, "{}") }] });
    const { body } = await stage.submit(front, submission);
    const id = body.kycRecordId ?? "";

    const frozen = await stage.service({
      run: "worker",
      failPoint: `${point}:freeze`,
      // A question is asked up to three times in one attempt.
      prepare: (provider) => provider.plan(id, { ask: [ask, ask, ask] }),
    });
    await until(async () => (await stage.rows("select from kyc_records where attempt = 2")).length === 1);
    await stage.endLeases();
    const other = await stage.service({ run: "worker" });
    await until(async () => (await stateOf(stage, id))?.settlement === "answered");
    await other.end("SIGTERM");

    const before = await stateOf(stage, id);
    frozen.child.kill("SIGCONT");
    await until(() => frozen.output().includes(`fail-point ${point}`));
    // It ends once it has done what was under way.
    expect(await frozen.end("SIGTERM")).toBe(0);
    expect(await stateOf(stage, id)).toEqual(before);
  },
});

/** Rows 1 to 11: processes that die, freeze and stop. */
export const crashes: Episode[] = [
  killedAt(1, "kill -9 before the record is committed", "claim.decided"),
  killedAt(2, "kill -9 during that commit", "claim.committing"),
  killedAt(3, "kill -9 after the commit, before anything is sent", "claim.after"),
  {
    row: 4,
    title: "kill -9 after the attempt is marked, before a byte",
    async run(stage, how) {
      const victim = await stage.service({ run: "all", failPoint: `submitKyc.before:kill:${how.size + 1}` });
      await burst(stage, { ...how, retries: false }, async (submission) => {
        victim.provider.plan(submission.email, {
          put: [{ effect: false, answer: http(503, "{}") }],
        });
        expect(await stage.submit(victim, submission)).toMatchObject({ status: 202 });
      });
      await until(() => victim.child.signalCode === "SIGKILL");
    },
  },
  {
    row: 5,
    title: "kill -9 in mid-request",
    async run(stage, how) {
      const victim = await stage.service();
      await burst(stage, how, (submission) => {
        const effect = stage.random() < 0.5;
        const meanwhile = () => victim.child.kill("SIGKILL");
        victim.provider.plan(submission.email, { put: [{ effect, meanwhile, answer: "never" }] });
        return stage.submit(victim, submission);
      });
      await until(() => victim.child.signalCode === "SIGKILL");
    },
  },
  killedAt(6, "kill -9 after the provider's effect, before the result is stored", "submitKyc.after"),
  killedAt(7, "kill -9 during the commit of the result", "storeVerdict.committing"),
  {
    row: 8,
    title: "kill -9 after it, before the reply",
    async run(stage, { size }) {
      const victim = await stage.service({ failPoint: `storeVerdict.after:kill:${size}` });
      const submissions = Array.from({ length: size }, () => stage.submission());
      for (const submission of submissions) await stage.submit(victim, submission);
      const last = submissions.at(-1);
      if (last) expect(await stage.insist(last)).toMatchObject({ status: 200, replayed: true });
    },
  },
  {
    row: 9,
    title: "kill -9 of the worker in mid-pass",
    async run(stage, how) {
      const front = await stage.service();
      await burst(stage, { ...how, size: how.size + 3 }, (submission) => {
        front.provider.plan(submission.email, unknownFirst());
        return stage.submit(front, submission);
      });
      const worker = await stage.service({ run: "worker", failPoint: "findKyc.after:kill:2" });
      await until(() => worker.child.signalCode === "SIGKILL");
      await stage.endLeases();
    },
  },
  frozenAt("storeVerdict.before", { effect: true, answer: "pass" }),
  frozenAt("reschedule.before", { effect: false, answer: http(503, "{}") }),
  {
    row: 11,
    title: "SIGTERM under load",
    async run(stage, how) {
      const service = await stage.service({ env: { SHUTDOWN_DELAY_MS: "3000" } });
      const slowly = {
        effect: true,
        meanwhile: () => wait(200 + stage.random() * 600),
        answer: "pass",
      } as const;
      const load = burst(stage, { ...how, size: how.size * 10 }, async (submission) => {
        service.provider.plan(submission.email, { put: [slowly] });
        await wait(stage.random() * 900);
        return stage.submit(service, submission);
      });
      await wait(300);
      const ended = service.end("SIGTERM");
      await until(() => isNotReady(service));
      expect(await ended).toBe(0);
      await load;
    },
  },
  {
    row: 11,
    title: "SIGTERM, and attempts that do not end in time",
    async run(stage, how) {
      // Leases of ten minutes: only one that is given back lets another process settle the record soon.
      const patient = {
        PROVIDER_KYC_TIMEOUT_MS: "60000",
        LEASE_MARGIN_MS: "600000",
        SHUTDOWN_GRACE_MS: "500",
      };
      const service = await stage.service({ env: patient });
      const load = burst(stage, how, (submission) => {
        service.provider.plan(submission.email, { put: [{ effect: stage.random() < 0.5, answer: "never" }] });
        return stage.submit(service, submission);
      });
      await until(() => service.provider.seen.length === how.size);
      expect(await service.end("SIGTERM")).toBe(0);
      await load;
    },
  },
];

async function isNotReady({ url }: Service): Promise<boolean> {
  const { status } = await fetch(`${url}/health/ready`);
  return status === 503;
}
