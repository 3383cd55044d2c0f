import type { ExecutionListRequest, ExecutionPage } from "@cardbridge/domain";
import { bodyOf, type CardContext, responseOf } from "../cards/card-answer.ts";
import type { CallResult } from "../http/call-result.ts";
import { toVerdict } from "./kyc-mapper.ts";
import { executionsPage } from "./wire.ts";

/** The query string of a page of executions, as it is signed and sent. */
export function toExecutionsQuery({ from, cursor }: ExecutionListRequest): string {
  const query = new URLSearchParams({ from: from.toISOString() });
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.toString();
}

/**
 * Maps the result of a list call to a page. Null if the provider does not have the call, which is optional.
 *
 * @throws Failure as `responseOf`
 */
export function toExecutionPage(result: CallResult, context: CardContext): ExecutionPage | null {
  const response = responseOf(result, context);
  if (response.status === 404 || response.status === 405) return null;
  const { items, nextCursor = null } = bodyOf(response, executionsPage, context);
  const executions = items.map(({ reference, userReference, fingerprint = null, executedAt, ...state }) => ({
    reference,
    userReference,
    fingerprint,
    executedAt: new Date(executedAt),
    verdict: toVerdict({ reference, userReference, ...state }),
  }));
  return { executions, nextCursor };
}
