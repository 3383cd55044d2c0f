import { type KycChangePage, maxChangesOfPage } from "@cardbridge/domain";
import type { Call, Operations } from "@cardbridge/service";
import { returning } from "@cardbridge/service/testing";
import { eventsOf, type StreamEvent } from "../support/event-stream.ts";

/** Opens a subscription. Its messages are its events without those of the protocol. */
export async function openStream(url: string, headers: Record<string, string>) {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events = eventsOf(response);
  /** Reads `count` messages; fewer if the response ends. */
  async function messages(count: number): Promise<StreamEvent[]> {
    const found: StreamEvent[] = [];
    while (found.length < count) {
      const { done, value } = await events.next();
      if (done) return found;
      if (value.event === undefined) found.push(value);
    }
    return found;
  }
  return { response, messages, leave: () => leaving.abort(), events };
}

export const ids = (events: StreamEvent[]) => events.map(({ id }) => id);

/** The page of changes after a position, of a database with the changes 1 to `count`. */
export function pageOf<T>(count: number, lastEventId: string | undefined, change: (number: number) => T) {
  if (lastEventId === undefined) return { changes: [], lastEventId: `${count}-9`, more: false };
  const from = Number(lastEventId.split("-")[0]);
  const to = Math.min(count, from + maxChangesOfPage);
  const changes = Array.from({ length: Math.max(0, to - from) }, (_, index) => change(from + index + 1));
  return { changes, lastEventId: `${Math.max(from, to)}-9`, more: to < count };
}

/** The status and the code of a subscription that did not start. */
export async function codeOf({ response }: { response: Response }) {
  const { error } = (await response.json()) as { error: { data: { problem: { code: string } } } };
  return [response.status, error.data.problem.code];
}

/** The operations with other KYC changes: the pages after a position. */
export const withKycChanges =
  (page: (call: Call, lastEventId: string | undefined) => KycChangePage) =>
  ({ kyc, ...others }: Operations): Operations => ({
    ...others,
    kyc: {
      ...kyc,
      listChanges: returning(kyc.listChanges, (call, { lastEventId, cursor = lastEventId }) =>
        page(call, cursor),
      ),
    },
  });
