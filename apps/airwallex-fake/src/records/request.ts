/** A request to the API as it arrived. */
export interface RecordedRequest {
  /** From 1. */
  number: number;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** JSON if it is, else the number of bytes. */
  body: unknown;
  /** The kind of the fault that it met. */
  fault?: string;
  /** The status of the answer. Absent if there was none. */
  status?: number;
}
