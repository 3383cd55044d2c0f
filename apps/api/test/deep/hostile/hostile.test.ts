import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkAnswers, checkLog } from "../../hostile/check-answers.ts";
import { exchange, type WireAnswer } from "../../hostile/exchange.ts";
import { hostileMessage } from "../../hostile/hostile-message.ts";
import { makeKeys } from "../../hostile/keys.ts";
import { type Message, toBytes } from "../../hostile/message.ts";
import { openStores, type Stores } from "../../hostile/stores.ts";
import { restList } from "../../support/call.ts";
import { startTestService } from "../../support/test-service.ts";

/**
 * Sends generated invalid requests for all operations to the whole service: no response is a 5xx or repeats data, and
 * refused requests change nothing. The nightly tier sends many more.
 */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 2_000);
const seed = Number(process.env.HOSTILE_SEED ?? 1);
const isLong = process.env.HOSTILE_REQUESTS !== undefined;

let service: Awaited<ReturnType<typeof startTestService>>;
let stores: Stores;

beforeAll(async () => {
  service = await startTestService({
    events: false,
    env: { RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
  await makeKeys(service.adminUrl);
  stores = await openStores(service.adminUrl);
});
afterAll(async () => {
  await stores.close();
  await service.stop();
});

let before = "";

async function sendAndCheck(sent: Message): Promise<WireAnswer[]> {
  try {
    const answers = await exchange(service.url, sent);
    checkAnswers(sent, answers);
    await service.idle();
    const isTaken = checkLog(service.lines.splice(0));
    const after = await stores.look();
    if (after !== before && !isTaken)
      throw new Error(`a rejected request wrote data: ${before} became ${after}`);
    before = after;
    return answers;
  } catch (error) {
    const bytes = toBytes(sent).toString("latin1").slice(0, 4_000);
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${bytes}`);
  }
}

it(
  `handles ${requests} hostile requests of seed ${seed}`,
  async () => {
    const seen = new Map<number, number>();
    let sentCount = 0;
    before = await stores.look();
    service.lines.length = 0;
    await fc.assert(
      fc.asyncProperty(hostileMessage, async (sent) => {
        const answers = await sendAndCheck(sent);
        for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1);
        sentCount += 1;
        if (isLong && sentCount % 5_000 === 0)
          print(`${sentCount} of ${requests}, by status: ${formatCounts(seen)}`);
      }),
      { numRuns: requests, seed },
    );
    if (isLong) print(`${sentCount} requests of seed ${seed}, by status: ${formatCounts(seen)}`);

    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 414, 415, 431]),
    );
    const { executions, attempts } = await service.ledger();
    expect(attempts.length).toBe(stores.sent());
    const recorded = await stores.recordIds();
    expect(executions.filter(({ reference }) => !recorded.has(reference))).toEqual([]);
    expect((await restList(service.caller(), { memberId: "alice" })).status).toBe(200);
  },
  isLong ? 0 : undefined,
);

const formatCounts = (seen: Map<number, number>) =>
  [...seen]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ");

function print(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
