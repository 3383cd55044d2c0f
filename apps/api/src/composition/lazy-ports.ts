import type { Blobs, CardProvider, Observer, ProviderIds } from "@cardbridge/domain";
import type { Env } from "../config/env.ts";
import { connectProvider } from "./card-provider.ts";
import { openBlobs } from "./open-blobs.ts";
import { findProvider } from "./provider.ts";

/** A card provider that connects on first use. */
export interface LazyProvider extends CardProvider {
  /** Connects now. @throws StartError if there is no provider. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a provider that connects on first use, because most commands need none. */
export function lazyProvider(env: Env, parts: { observer: Observer; ids: ProviderIds }): LazyProvider {
  let opened: ReturnType<typeof connect> | undefined;
  async function connect() {
    return connectProvider(env, await findProvider(env), parts);
  }
  const open = () => {
    opened ??= connect();
    return opened;
  };
  return {
    listCards: async (request, signal) => (await open()).listCards(request, signal),
    findCard: async (cardId, signal) => (await open()).findCard(cardId, signal),
    submitKyc: async (request) => (await open()).submitKyc(request),
    findKyc: async (reference) => (await open()).findKyc(reference),
    async open() {
      await open();
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Creates blobs that open on first use, because opening creates the files' folder. */
export function lazyBlobs(env: Env): Blobs {
  let opened: Promise<Blobs> | undefined;
  const open = () => {
    opened ??= openBlobs(env);
    return opened;
  };
  return {
    put: async (name, blob) => (await open()).put(name, blob),
    get: async (name) => (await open()).get(name),
    delete: async (name) => (await open()).delete(name),
  };
}
