import type { Blobs, CardProvider, Observer } from "@cardbridge/domain";
import { createCardProvider } from "@cardbridge/provider";
import type { Env } from "../config/env.ts";
import { openBlobs } from "./open-blobs.ts";
import { providerOptions } from "./options.ts";
import { findProvider } from "./provider.ts";

/** A card provider that connects on first use. */
export interface LazyProvider extends CardProvider {
  /** Connects now. @throws StartError if there is no provider. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a provider that connects on first use, because most commands need none. */
export function lazyProvider(env: Env, observer: Observer): LazyProvider {
  let opened: ReturnType<typeof connect> | undefined;
  async function connect() {
    return createCardProvider({ ...providerOptions(env, await findProvider(env)), observer });
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
