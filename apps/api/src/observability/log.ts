import type { Failure, Observation, Observer } from "@cardbridge/domain";
import type { Context } from "hono";
import { routePath } from "hono/route";
import { pino } from "pino";
import { errorMapping } from "../errors/mapping.ts";
import { stackFramesOf } from "./stack-frames.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { labelsForLog } from "./labels.ts";
import { reasonOf } from "./reason.ts";

/** What may be logged is listed here, field by field: an object is never handed to the logger whole. */
export interface Log extends Observer {
  info(sentence: string): void;
  warn(sentence: string): void;
  request(c: Context<HttpEnv>, millis: number): void;
  /** A request that was refused before the app saw it. */
  refused(failure: Failure, requestId: string): void;
  /** How many requests were refused in the last second because too many were under way. */
  full(refused: number): void;
  /** How many lines could not be written. */
  dropped(): number;
  /** An error that nobody foresaw: its kind and place, never its message, which may quote a value. */
  unforeseen(error: unknown, requestId?: string): void;
}

/** What is no reason to look: counted only, or written down to be looked up some day. */
const levels: Partial<Record<Observation, "silent" | "info">> = {
  kyc_attempt: "silent",
  operation_call: "silent",
  user_erased: "silent",
  audit_sealed: "info",
};

interface Destination {
  write(line: string): void;
  dropped?: () => number;
}

export function createLog(level: string, destination: Destination): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const unforeseen = (error: unknown, requestId: string) =>
    logger.error({ requestId, ...describe(error) }, "unforeseen error");
  return {
    info: (sentence) => logger.info(sentence),
    warn: (sentence) => logger.warn(sentence),
    request(c, millis) {
      const failure = c.get("failure");
      const fields = {
        requestId: c.get("requestId"),
        platformId: c.get("call")?.platformId,
        method: c.req.method,
        route: routePath(c, -1),
      };
      const { status } = c.res;
      const outcome = { status, millis: Math.round(millis * 10) / 10, ...whyFailed(failure) };
      logger[levelOf(fields.route, status)]({ ...fields, ...outcome }, "request");
    },
    refused({ code, cause }, requestId) {
      logger.info({ requestId, status: errorMapping[code].status, code }, "refused");
      if (code === "INTERNAL_ERROR") unforeseen(cause, requestId);
    },
    full: (refused) => logger.warn({ refused, status: 503 }, "too many requests at once"),
    dropped: destination.dropped ?? (() => 0),
    unforeseen,
    observe(what: Observation, labels = {}) {
      const level = levels[what] ?? "warn";
      if (level !== "silent") logger[level]({ labels: labelsForLog(labels) }, what);
    },
  };
}

/** What a load balancer asks every second, and what a page loads beside itself, is of interest only when it fails. */
function levelOf(route: string, status: number): "debug" | "info" | "warn" {
  if (status >= 500) return "warn";
  return status < 400 && /^\/(health|docs)\//.test(route) ? "debug" : "info";
}

/** A failure's code and its cause in a word: reasons of the provider's client, or a code of the database. */
function whyFailed(failure: Failure | undefined): { code?: string; reason?: string } {
  if (!failure) return {};
  const { cause } = failure.details;
  if (!(cause instanceof Error) || failure.code === "INTERNAL_ERROR") return { code: failure.code };
  return { code: failure.code, reason: reasonOf(cause) };
}

function describe(error: unknown): { error: string; code?: string; at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = "code" in inner && typeof inner.code === "string" ? { code: inner.code } : {};
  return { error: inner.name, ...code, at: stackFramesOf(inner).slice(0, 5).join(" < ") };
}
