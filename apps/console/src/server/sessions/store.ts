/** Keeps encrypted values until they expire. Its keys are hashes, so it has neither ids nor readable content. */
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
  /** Throws if the store is not available. */
  check(): Promise<void>;
  close(): Promise<void>;
}
