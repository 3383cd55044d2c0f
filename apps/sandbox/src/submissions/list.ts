import type { State } from "../state/state.ts";
import type { ExecutionQuery } from "../wire.ts";
import { kycStateAt } from "./kyc-state.ts";

const pageSize = 100;

/**
 * One page of the executions from a time on, oldest first. The cursor is a position among all executions, whose order
 * never changes.
 *
 * @param now milliseconds since 1970
 */
export function listExecutions(state: State, { from, cursor = 0 }: ExecutionQuery, now: number) {
  const executions = [...state.executions.values()];
  const isListed = (at: number, index: number) => index >= cursor && at >= Date.parse(from);
  const listed = executions.flatMap((execution, index) =>
    isListed(execution.executedAt, index) ? [{ execution, index }] : [],
  );
  const page = listed.slice(0, pageSize);
  return {
    items: page.map(({ execution }) => ({
      ...kycStateAt(execution, now),
      fingerprint: execution.request.fingerprint ?? null,
      executedAt: new Date(execution.executedAt).toISOString(),
    })),
    nextCursor: listed.length > pageSize ? String((page.at(-1)?.index ?? 0) + 1) : null,
  };
}
