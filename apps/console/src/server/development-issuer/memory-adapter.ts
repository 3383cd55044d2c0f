import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

/** What the development issuer stores, until the process ends. */
export function memoryAdapter(): AdapterFactory {
  const payloads = new Map<string, AdapterPayload>();
  return (kind) => new MemoryAdapter(kind, payloads);
}

class MemoryAdapter implements Adapter {
  readonly #kind: string;
  readonly #payloads: Map<string, AdapterPayload>;

  constructor(kind: string, payloads: Map<string, AdapterPayload>) {
    this.#kind = kind;
    this.#payloads = payloads;
  }

  #key(id: string): string {
    return `${this.#kind}:${id}`;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#payloads.set(this.#key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#payloads.get(this.#key(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    for (const [key, payload] of this.#payloads) {
      if (key.startsWith(`${this.#kind}:`) && payload.uid === uid) return payload;
    }
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const payload = this.#payloads.get(this.#key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    this.#payloads.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.#payloads) {
      if (payload.grantId === grantId) this.#payloads.delete(key);
    }
  }
}
