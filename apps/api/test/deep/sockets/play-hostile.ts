/*
 * A separate process that sends generated hostile requests to a service, eight at a time, and prints its results as a
 * line of JSON: node play-hostile.ts URL REQUESTS SEED KEY. The key is that of an internal app.
 */
import { setPriority } from "node:os";
import fc from "fast-check";
import { checkAnswers } from "../../hostile/check-answers.ts";
import { exchange } from "../../hostile/exchange.ts";
import { hostileMessage } from "../../hostile/hostile-message.ts";
import { keys } from "../../hostile/keys.ts";
import { type Message, toBytes } from "../../hostile/message.ts";

/** The results of one run. */
export interface Played {
  sent: number;
  /** The number of responses of each status. */
  statuses: Record<string, number>;
  /** The number of requests with a wrong response: a 5xx, none, missing headers, or repeated data. */
  wrong: number;
  /** The first of them. */
  examples: string[];
}

const [url = "", requests = "0", seed = "1", key = ""] = process.argv.slice(2);
// This process takes no processor time from the service, which is measured.
setPriority(19);
const atOnce = 8;
const played: Played = { sent: 0, statuses: {}, wrong: 0, examples: [] };

/** Replaces the generated key, which the service does not have, with the given key of an internal app. */
function withKey(message: Message): Message {
  const headers = message.headers.map(
    ([name, value]) => [name, value.replaceAll(keys.internal.key, key)] as const,
  );
  return { ...message, headers };
}

async function play(message: Message): Promise<void> {
  played.sent += 1;
  try {
    const answers = await exchange(url, message);
    for (const { status } of answers) played.statuses[status] = (played.statuses[status] ?? 0) + 1;
    checkAnswers(message, answers);
  } catch (error) {
    played.wrong += 1;
    const bytes = toBytes(message).toString("latin1").slice(0, 1_000);
    if (played.examples.length < 5) played.examples.push(`${error}\n${bytes}`);
  }
}

/** Parts of a thousand keep the memory small. Part `n` has the seed plus `n`. */
for (let part = 0; played.sent < Number(requests); part += 1) {
  const numRuns = Math.min(1_000, Number(requests) - played.sent);
  const messages = fc.sample(hostileMessage, { numRuns, seed: Number(seed) + part }).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const message of messages) await play(withKey(message));
    }),
  );
  if (part % 10 === 9) process.stderr.write(`${played.sent} of ${requests}\n`);
}
process.stdout.write(`${JSON.stringify(played)}\n`);
