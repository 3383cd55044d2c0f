/** A request to the API as it arrived. */
export interface RecordedRequest {
  /** From 1. */
  number: number;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** The parsed JSON, or `{ bytes }` for another body. */
  body: unknown;
  /** The kind of the fault that was applied. */
  fault?: string;
  /** The status of the response. Absent without a response. */
  status?: number;
}
