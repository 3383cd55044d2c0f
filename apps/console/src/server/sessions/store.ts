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

/** Catches the failure of a write that a call can do without, such as one that a full store refuses. */
export function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable)) throw error;
}

/**
 * Keeps encrypted values until they expire. Its keys are hashes, so it has neither ids nor readable content. Each
 * function throws StoreUnavailable without an answer.
 */
export interface Store {
  get(key: string): Promise<Buffer | undefined>;
  set(key: string, value: Buffer, seconds: number): Promise<void>;
  /** Replaces a value, which expires as before. Returns false if it has changed: an update never revives a deleted one. */
  replace(key: string, before: Buffer, after: Buffer): Promise<boolean>;
  /** Lets a value expire after this time from now on. A deleted one stays deleted. */
  prolong(key: string, seconds: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** Creates a mark. Returns false if it exists. */
  claim(key: string, seconds: number): Promise<boolean>;
  /** Fails if the store does not accept a write. */
  check(): Promise<void>;
  /** The number of entries of a kind, such as `session`, if the store knows it without asking. */
  count?(kind: string): number;
  close(): Promise<void>;
}
