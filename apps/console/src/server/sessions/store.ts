/** The store did not answer. Nobody is signed out by it: the session may still exist. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** What failed, such as `ECONNREFUSED`. */
  readonly code: string;

  constructor(code: string) {
    super("The store of the sessions did not answer.");
    this.code = code;
  }
}

/**
 * Keeps encrypted values until they expire. Its keys are hashes, so it has neither ids nor readable content. Each
 * function throws StoreUnavailable without an answer.
 */
export interface Store {
  get(key: string): Promise<Buffer | undefined>;
  set(key: string, value: Buffer, seconds: number): Promise<void>;
  /** Replaces a value. Returns false if it has changed or is gone: an update never revives a deleted value. */
  replace(key: string, before: Buffer, after: Buffer, seconds: number): Promise<boolean>;
  /** Reads and deletes a value: of two concurrent callers, only one gets it. */
  take(key: string): Promise<Buffer | undefined>;
  delete(key: string): Promise<void>;
  /** Creates a mark. Returns false if it exists. */
  claim(key: string, seconds: number): Promise<boolean>;
  check(): Promise<void>;
  /** The number of entries of a kind, such as `session`, if the store knows it without asking. */
  count?(kind: string): number;
  close(): Promise<void>;
}
