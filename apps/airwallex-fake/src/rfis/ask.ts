import { randomUUID } from "node:crypto";
import { ApiError } from "../api-error.ts";
import type { Dependencies } from "../http/context.ts";
import type { AskedRound, Rfi } from "../records/rfi.ts";
import type { State } from "../state/state.ts";
import { timestamp } from "../time.ts";

type Parts = Pick<Dependencies, "store" | "events" | "now">;

/** @throws ApiError not_found */
export function findRfi({ rfis }: State, id: string): Rfi {
  const rfi = rfis.find((each) => each.id === id);
  if (!rfi) throw new ApiError("not_found", `The RFI ${id} does not exist.`);
  return rfi;
}

/**
 * Opens an RFI, or asks more in an answered one, whose earlier questions move to `answered_requests`.
 * @throws ApiError bad_request if the RFI is not ANSWERED
 */
export function ask(parts: Parts, { type, expires_at, questions }: AskedRound, rfi?: Rfi): Rfi {
  if (rfi && rfi.status !== "ANSWERED") throw new ApiError("bad_request", "The RFI is not ANSWERED.");
  const earlier = rfi ? [...rfi.answered_requests, rfi.active_request] : [];
  const asked = earlier.flatMap((round) => round.questions);
  // Times have seconds, and no two rounds have the same.
  const at = timestamp(parts.now() + 1_000 * earlier.length);
  const times = { created_at: at, updated_at: at };
  const active_request = {
    ...times,
    expires_at,
    questions: questions.map(({ id, type, ...question }) => {
      const before = asked.find((each) => each.id === id);
      if (before) return { ...before, answer: { type: before.answer.type } };
      return { id: randomUUID(), ...question, answer: { type } };
    }),
  };
  const next = { active_request, answered_requests: earlier };
  if (rfi) {
    Object.assign(rfi, next);
    return setRfiStatus(parts, rfi, "ACTION_REQUIRED");
  }
  const { accountId: account_id } = parts.events;
  const opened: Rfi = { id: randomUUID(), account_id, type, status: "ACTION_REQUIRED", ...times, ...next };
  parts.store.state.rfis.push(opened);
  return setRfiStatus(parts, opened, "ACTION_REQUIRED");
}

/** Sets the status of an RFI, adds its event, which has the id alone, and saves both together. */
export function setRfiStatus({ store, events, now }: Parts, rfi: Rfi, status: Rfi["status"]): Rfi {
  Object.assign(rfi, { status, updated_at: timestamp(now()) });
  events.add(`rfi.${status.toLowerCase()}`, { id: rfi.id }, rfi.id);
  store.save();
  return rfi;
}
