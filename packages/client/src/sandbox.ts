import type { SubmitOptions } from "./options.ts";
import { checkKey, jsonBody, type Send } from "./request.ts";
import type { SandboxAct, SandboxActResult } from "./types.ts";

/** What the provider of a test service does on request. */
export interface Sandbox {
  /**
   * Decides the user's latest submission, asks for a document, issues a card or changes one, as the provider does it. All
   * attempts of a call have the same Idempotency-Key, so that it happens once.
   */
  act(act: SandboxAct, options?: SubmitOptions): Promise<SandboxActResult>;
}

export function createSandbox(send: Send): Sandbox {
  return {
    async act(act, { idempotencyKey = crypto.randomUUID(), ...options } = {}) {
      const headers = { "idempotency-key": checkKey(idempotencyKey) };
      return send({ method: "POST", path: "/sandbox/acts", headers, body: jsonBody(act) }, options);
    },
  };
}
