/** The options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** The time limit of the call with all its retries, in milliseconds. */
  timeoutMs?: number | undefined;
}

/** The options of a submission or an act. */
export interface SubmitOptions extends CallOptions {
  /** Your own key, 1 to 255 visible ASCII characters, for a call that you may repeat after a crash. */
  idempotencyKey?: string | undefined;
}

/** The part of fetch that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The progress of an upload. */
export interface UploadProgress {
  /** Bytes sent. */
  loaded: number;
  /** All bytes of the body: the file and a few hundred bytes of the form. */
  total: number;
}
