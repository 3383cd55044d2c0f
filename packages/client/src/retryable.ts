/** Statuses after which the same request may succeed. */
const retryableStatuses: readonly number[] = [408, 429, 502, 503, 504];

/** Whether the same request may succeed after an error. A user's list stays too long for the service to count. */
export function isRetryable(status: number, code?: string): boolean {
  return retryableStatuses.includes(status) && code !== "CARD_LIST_TOO_LONG";
}
