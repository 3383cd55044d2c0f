import {
  errorCode,
  type Failure,
  type Labels,
  type Observation,
  type Observer,
  reasonOf,
} from "@cardbridge/domain";
import { pino } from "pino";
import type { RefusalLog } from "../admission/refusals.ts";
import { errorMapping } from "../http/errors/mapping.ts";
import type { RequestLog } from "../http/middleware/log-request.ts";
import { stackFramesOf } from "./stack-frames.ts";

/** The labels of the log. The values are unused; they keep the list exhaustive. */
const known: Record<keyof Labels, true> = {
  operation: true,
  resource: true,
  step: true,
  outcome: true,
  reason: true,
  field: true,
  route: true,
  method: true,
  status: true,
  platformId: true,
  kycRecordId: true,
  checkpoint: true,
  hash: true,
  root: true,
};

/** The log. Every line lists its fields; no line contains a whole object. */
export interface Log extends Observer, RefusalLog, RequestLog {
  /** Logs an event in snake_case, with its fields. */
  info(event: string, fields: Readonly<Record<string, string | number>>): void;
  /** Logs a warning: an event in snake_case, with its fields. */
  warn(event: string, fields?: Readonly<Record<string, string | number>>): void;
  /** Logs a request that was refused before it reached the app. */
  refused(failure: Failure, requestId: string): void;
  /** The number of dropped lines. */
  dropped(): number;
  /** Logs an unexpected error by its name and stack frames. Its message can contain a value. */
  unexpected(error: unknown, requestId?: string): void;
}

/** The levels of events. The default is a warning. */
const levels: Partial<Record<Observation, "silent" | "info">> = {
  // Requests have their own line.
  request: "silent",
  request_shed: "silent",
  kyc_attempt: "silent",
  document_request_answer: "silent",
  provider_call: "silent",
  operation_call: "silent",
  slot_refused: "silent",
  user_erased: "silent",
  webhook_attempt: "silent",
  audit_checkpoint_created: "info",
  command_line_act: "info",
};

interface Destination {
  write(line: string): void;
  dropped?: () => number;
}

export function createLog(level: string, destination: Destination): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const unexpected = (error: unknown, requestId?: string) =>
    logger.error({ requestId, ...describe(error) }, "unexpected error");
  return {
    info: (event, fields) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    request({ requestId, platformId, method, route, procedures, status, ms, failure }) {
      const outcome = { status, ms: Math.round(ms * 10) / 10, ...reasonOfFailure(failure) };
      logger[levelOf(route, status)](
        { requestId, platformId, method, route, procedures, ...outcome },
        "request",
      );
    },
    refused({ code, cause }, requestId) {
      logger.info({ requestId, status: errorMapping[code].status, code }, "refused");
      if (code === "INTERNAL_ERROR") unexpected(cause, requestId);
    },
    shed: (caller, reason, refused) => logger.warn({ ...caller, reason, refused }, "requests_rejected"),
    full: (refused) => logger.warn({ refused }, "slots_refused"),
    dropped: destination.dropped ?? (() => 0),
    unexpected,
    observe(event: Observation, labels = {}) {
      const level = levels[event] ?? "warn";
      if (level !== "silent") logger[level]({ labels: labelsForLog(labels) }, event);
    },
  };
}

/** Successful health checks and assets of the docs page are debug lines. */
function levelOf(route: string, status: number): "debug" | "info" | "warn" {
  if (status >= 500) return "warn";
  return status < 400 && /^\/(health|docs)\//.test(route) ? "debug" : "info";
}

/** The code of a failure, and the reason of its cause. An unexpected error has a line of its own. */
function reasonOfFailure(failure: Failure | undefined): { code?: string; reason?: string } {
  if (!failure) return {};
  const { cause } = failure.details;
  if (!(cause instanceof Error) || failure.code === "INTERNAL_ERROR") return { code: failure.code };
  return { code: failure.code, reason: reasonOf(cause) };
}

function describe(error: unknown): { error: string; code?: string | undefined; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = errorCode(inner) || undefined;
  return { error: inner.name, code, at: stackFramesOf(inner).slice(0, 5).join(" < ") };
}

/** The labels for the log. The allow-list drops extra fields, which types do not prevent. */
function labelsForLog(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => Object.hasOwn(known, name)));
}
