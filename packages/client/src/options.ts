/** What each call takes besides its input. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** The time for the call with all its retries, in milliseconds. */
  timeoutMs?: number | undefined;
}

/** As much of fetch as the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How much of an upload was sent. */
export interface UploadProgress {
  /** Bytes sent. */
  loaded: number;
  /** All bytes of the body: the file and some hundred bytes of the form. */
  total: number;
}
