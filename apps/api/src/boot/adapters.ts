import type { ExternalFiles } from "@cardbridge/domain";
import {
  createExternalFiles,
  createGuardedClient,
  createWebhookSender,
  type GuardedClient,
} from "@cardbridge/egress";
import {
  createEvidenceRenderer,
  createFileInspector,
  type EvidenceRendererOptions,
  type FileInspectorOptions,
} from "@cardbridge/files";
import { version } from "@cardbridge/node";
import type { Env } from "../config/env.ts";
import { virusScan } from "./files.ts";

interface Options {
  /** Who may use the processes that decode files, and their number. */
  decoders?: Pick<FileInspectorOptions, "runInSlot" | "processes">;
  /** Who may use the processes that render evidence, and their number. */
  renderers?: Pick<EvidenceRendererOptions, "runInSlot" | "processes">;
}

/**
 * Opens what operations use beside the database and the provider: the reader of external files, the sender of webhooks,
 * and the processes that decode and render files. Each connects or starts on its first use.
 */
export function openAdapters(env: Env, { decoders, renderers }: Options = {}) {
  const externalFiles = openExternalFiles(env);
  const webhooks = webhookClient(env);
  return {
    externalFiles,
    webhookSender: createWebhookSender({ client: webhooks, version }),
    inspector: createFileInspector({ scan: virusScan(env), ...decoders }),
    evidenceRenderer: createEvidenceRenderer({ ...renderers }),
    /** Closes the connections. */
    close: () => Promise.all([webhooks.close(), externalFiles.close()]),
  };
}

/** The time to read one file, in milliseconds. It is part of the deadline of its submission. */
const readMs = 5_000;

/**
 * Reads files from callers' URLs, for an adapter that sends bytes. In production, only public addresses over https are
 * allowed. The networks allowed for webhooks do not apply, because any caller may send a URL.
 */
export function openExternalFiles({
  NODE_ENV,
  FILE_MAX_BYTES: maxBytes,
}: Pick<Env, "NODE_ENV" | "FILE_MAX_BYTES">): ExternalFiles & { close(): Promise<void> } {
  const local = NODE_ENV !== "production";
  const client = createGuardedClient({ allowLoopback: local, allowHttp: local });
  return { ...createExternalFiles({ client, maxBytes, deadlineMs: readMs }), close: client.close };
}

/** Creates the client of webhooks. Outside production, endpoints may be on this machine (gap G32). */
function webhookClient(env: Env): GuardedClient {
  const local = env.NODE_ENV !== "production";
  return createGuardedClient({
    allowedNetworks: env.WEBHOOKS_ALLOWED_NETWORKS,
    allowLoopback: local,
    allowHttp: local,
  });
}
