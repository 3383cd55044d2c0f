/** An event. Every delivery has the same `id` and body. */
export interface StoredEvent {
  id: string;
  name: string;
  account_id: string;
  /** With `+0000`, in seconds. */
  created_at: string;
  data: object;
  source_id: string;
  version: string;
}
