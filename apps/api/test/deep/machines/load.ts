import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { until } from "../../support/until.ts";
import { failureOf, isAcknowledged } from "../faults/clients/submit.ts";
import type { Cluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";

/** The clients of a load. Each sends a submission until it is acknowledged, then lists the cards of its user. */
const clients = 6;
/** The pause of a client between calls, in milliseconds. */
const pauseMs = 100;
/** A call that takes longer counts as failed. The service answers earlier, also while the database hangs. */
const timeoutMs = 30_000;
const maxTries = 600;

/** One call of a client: its outcome is the status, or why there was no response. */
interface Call {
  client: number;
  outcome: number | string;
  /** Whether it is the first call of its submission. */
  isFirst: boolean;
  startedAt: number;
  endedAt: number;
}

/** What the clients of a load saw. */
export interface Seen {
  calls: number;
  /** The number of calls with each outcome. */
  outcomes: Map<string, number>;
  /** The outcomes of the first call of each submission. */
  first: Map<string, number>;
  /** How long a client was without success: from a call that failed until its next success, in seconds. */
  failedSeconds: number;
  /** Of all calls, in milliseconds. */
  p99Ms: number;
  longestMs: number;
  /** What no fault of a machine explains, as sentences. */
  violations: string[];
}

export interface Load {
  /** Waits until this many more calls succeeded. */
  succeeded(count: number): Promise<void>;
  /** Waits until this many more calls failed. */
  failed(count: number): Promise<void>;
  /** Lists cards with this many calls at once, so that every pool opens all of its connections. */
  burst(count: number): Promise<void>;
  /** Ends the load, after the submissions under way are acknowledged. */
  stop(): Promise<Seen>;
}

/** Starts clients that call one of the current services at random, as behind a load balancer. */
export function startLoad(cluster: Cluster, services: readonly Service[]): Load {
  const calls: Call[] = [];
  const unacknowledged: string[] = [];
  let stopping = false;
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });

  async function call(
    client: number,
    run: (service: Service) => Promise<number | string>,
    isFirst = false,
  ): Promise<Call> {
    const service = services[Math.floor(Math.random() * services.length)] as Service;
    const startedAt = performance.now();
    const done = { client, outcome: await run(service), isFirst, startedAt, endedAt: performance.now() };
    calls.push(done);
    await wait(pauseMs);
    return done;
  }

  async function runClient(client: number): Promise<void> {
    while (!stopping && !isOver) {
      const submission = cluster.newSubmission();
      const submitOnce = async (service: Service) => {
        const reply = await cluster.submit(service, submission, { timeoutMs });
        return isAcknowledged(reply) ? Number(reply.status) : (reply.failure ?? Number(reply.status));
      };
      let last = await call(client, submitOnce, true);
      for (let tries = 1; !isSuccess(last) && tries < maxTries && !isOver; tries += 1)
        last = await call(client, submitOnce);
      if (!isSuccess(last)) unacknowledged.push(`I3: ${submission.memberId} was never acknowledged`);
      await call(client, (service) => list(service, cluster.keys.first, submission.memberId));
    }
  }

  function more(count: number, isCounted: (call: Call) => boolean): Promise<void> {
    const from = calls.length;
    return until(() => calls.slice(from).filter(isCounted).length >= count);
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  return {
    succeeded: (count) => more(count, isSuccess),
    failed: (count) => more(count, isFailure),
    async burst(count) {
      const memberIds = cluster.replies.filter(isAcknowledged).map(({ submission }) => submission.memberId);
      const listOne = (nth: number) =>
        call(clients, (service) =>
          list(service, cluster.keys.first, memberIds[nth % memberIds.length] ?? ""),
        );
      await Promise.all(Array.from({ length: count }, (_, nth) => listOne(nth)));
    },
    async stop() {
      stopping = true;
      await running;
      return summarize(calls, unacknowledged);
    },
  };
}

/** Lists the cards of a user whose submission was acknowledged. Returns the status, or why there was no response. */
async function list({ url }: Service, key: string, memberId: string): Promise<number | string> {
  try {
    const response = await fetch(`${url}/openapi/v1/cards/list?memberId=${memberId}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return failureOf(error);
  }
}

const isSuccess = ({ outcome }: Call) => typeof outcome === "number" && outcome < 300;
/** A service whose machines fail answers that it is unavailable or busy, or not at all. */
const isUnexpected = ({ outcome }: Call) =>
  typeof outcome === "number" && ![200, 202, 429, 503].includes(outcome);
const isFailure = (call: Call) => !isSuccess(call);

function summarize(calls: readonly Call[], unacknowledged: readonly string[]): Seen {
  const durations = calls.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((a, b) => a - b);
  return {
    calls: calls.length,
    outcomes: countOutcomes(calls),
    first: countOutcomes(calls.filter(({ isFirst }) => isFirst)),
    failedSeconds: coveredMs(calls.filter(isFailure).map((call) => untilSuccess(call, calls))) / 1_000,
    p99Ms: durations[Math.floor(durations.length * 0.99)] ?? 0,
    longestMs: durations.at(-1) ?? 0,
    violations: [
      ...unacknowledged,
      ...calls.filter(isUnexpected).map(({ outcome }) => `A call got ${outcome}`),
    ],
  };
}

function countOutcomes(calls: readonly Call[]): Map<string, number> {
  const groups = Map.groupBy(calls, ({ outcome }) => String(outcome));
  return new Map([...groups].map(([outcome, { length }]) => [outcome, length] as const).sort());
}

export interface Span {
  startedAt: number;
  endedAt: number;
}

/** From a call that failed until the next success of its client. */
function untilSuccess({ client, startedAt, endedAt }: Call, calls: readonly Call[]): Span {
  const next = calls.find((call) => call.client === client && call.startedAt > startedAt && isSuccess(call));
  return { startedAt, endedAt: next?.endedAt ?? endedAt };
}

/** The time that at least one of these spans covers, in milliseconds. */
export function coveredMs(spans: readonly Span[]): number {
  let [covered, until] = [0, 0];
  for (const { startedAt, endedAt } of [...spans].sort((a, b) => a.startedAt - b.startedAt)) {
    covered += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return covered;
}
