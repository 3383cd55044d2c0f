import { type RestoreFinding, reasonOf } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { requestErasure } from "../users/erase.ts";
import { erasureLog } from "../users/erasure-log.ts";
import { eraseDueUsers } from "../users/erasures.ts";

const batchSize = 100;

/**
 * Requests the erasures of the log again, and makes those that nothing prevents. A request goes the way of every other
 * one, so that it honours what an erasure has to honour.
 *
 * @param since only erasures from then on; null for all
 */
export async function repeatErasures(
  ports: Pick<Ports, "database" | "blobs" | "keySet">,
  since: Date | null,
): Promise<RestoreFinding> {
  const check = "Erasures";
  const { database, blobs, keySet } = ports;
  const log = await recover(erasureLog(database, { blobs, key: keySet.erasures })).catch(reasonOf);
  if (typeof log === "string") {
    const found = `The log of erasures cannot be read (${log}).`;
    return { check, result: "problem", found, details: [] };
  }
  if (log.problems.length > 0) {
    return { check, result: "problem", found: "The log of erasures is not whole.", details: log.problems };
  }
  const later = log.entries.filter(({ at }) => since === null || at >= since);
  const requested: string[] = [];
  for (const { platformId, userId } of later) {
    if (await requestErasure(ports, platformId, userId)) requested.push(userId);
  }
  let erased = 0;
  for (let more = true; more; ) {
    const count = await eraseDueUsers(ports, batchSize);
    erased += count;
    more = count === batchSize;
  }
  const found =
    `The log has ${log.entries.length} erasures, ${later.length} of them since then. ` +
    `${requested.length} users were there again: ${erased} are erased, the others after their records are resolved.`;
  return { check, result: "ok", found, details: requested.map((id) => `${id} was requested again.`) };
}

/** Reads the log of erasures. If it is whole, stores the entries that the database lacks. */
async function recover(log: ReturnType<typeof erasureLog>) {
  const read = await log.read();
  if (read.problems.length === 0) await log.adopt(read.entries);
  return read;
}
