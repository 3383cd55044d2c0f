import { type AuditAct, type AuditOutcome, Failure } from "@cardbridge/domain";
import type { Call, Outcome } from "./operation.ts";
import type { Ports } from "./ports.ts";

/** What the audit keeps of an operation's calls beside their number. */
export interface Noted {
  act: AuditAct;
  /** The outcomes that are noted before the answer; what `run` writes in its own transactions is not among them. */
  outcomes: readonly AuditOutcome[];
}

/** What an account is kept with. */
export type AccountPorts = Pick<Ports, "audit" | "observer">;

interface About {
  platformId?: string | undefined;
  subject?: string | null | undefined;
}

interface Account {
  id: string;
  noted: Noted | null;
}

/**
 * Keeps an account of one call: counts how it ended, and notes it where that is to be noted. An answer waits
 * for its entry, and there is none without it.
 */
export async function accountFor<T>(
  { audit, observer }: AccountPorts,
  call: Call,
  { id, noted }: Account,
  run: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const count = (outcome: AuditOutcome) => observer.observe("operation_call", { operation: id, outcome });
  try {
    const outcome = await noting();
    count(wordOf(outcome));
    return outcome;
  } catch (error) {
    count(codeOf(error));
    throw error;
  }

  async function noting(): Promise<Outcome<T>> {
    let outcome: Outcome<T>;
    try {
      outcome = await run();
    } catch (error) {
      const { about, kycRecordId } = error instanceof Failure ? error.details : {};
      await note(codeOf(error), about ?? { subject: kycRecordId });
      throw error;
    }
    await note(wordOf(outcome), outcome);
    return outcome;
  }

  async function note(
    outcome: AuditOutcome,
    { platformId = call.platformId, subject = null }: About,
  ): Promise<void> {
    if (!noted?.outcomes.includes(outcome)) return;
    const { actor, requestId, address } = call;
    await audit.note(platformId, { actor, requestId, address, act: noted.act, subject, outcome });
  }
}

function wordOf({ replayed }: Outcome<unknown>): AuditOutcome {
  return replayed ? "replayed" : "done";
}

function codeOf(error: unknown): AuditOutcome {
  return error instanceof Failure ? error.code : "INTERNAL_ERROR";
}
