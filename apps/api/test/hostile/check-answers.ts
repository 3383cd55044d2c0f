import { isUploadsPath } from "../../src/config/paths.ts";
import { errorMapping } from "../../src/http/errors/mapping.ts";
import { problem } from "../../src/http/errors/problem.ts";
import { canary } from "./calls.ts";
import type { WireAnswer } from "./exchange.ts";
import type { Message } from "./message.ts";

/** Checks a response to any request. Throws an error that describes the problem. */
export function checkAnswers(message: Message, answers: readonly WireAnswer[]): void {
  for (const answer of answers) {
    checkHeaders(message, answer);
    if (answer.status >= 400 || answer.status === 207) checkError(message, answer);
    else checkSuccess(message, answer);
  }
  if (message.isWhole && answers.length === 0) throw new Error("no response");
}

function checkHeaders({ target }: Message, { status, headers }: WireAnswer): void {
  // Only the path of upload URLs has CORS headers.
  const named = [...headers.keys()].filter(
    (name) => !(isUploadsPath(target) && name.startsWith("access-control-")),
  );
  const revealed = named.filter((name) => /^(access-control-|x-powered-by$|server$|set-cookie$)/.test(name));
  if (revealed.length > 0) throw new Error(`${status} reveals ${revealed.join(", ")}`);
  if (!/^req_[0-9a-z]{26}$/.test(headers.get("x-request-id") ?? ""))
    throw new Error(`${status} without a request id`);
  if (headers.get("x-content-type-options") !== "nosniff") throw new Error(`${status} without nosniff`);
  const policy = headers.get("content-security-policy") ?? "";
  if (!policy.startsWith("default-src 'none'")) throw new Error(`${status} without a content policy`);
  if (canary.test([...headers.values()].join())) throw new Error(`${status} repeats data in a header`);
}

function checkError({ method }: Message, { status, headers, body }: WireAnswer): void {
  if (status >= 500) throw new Error(`${status}: ${body}`);
  if (method === "HEAD" && body === "") return;
  const type = headers.get("content-type");
  const json = JSON.parse(body);
  // Errors below the app and outside /trpc are problems. tRPC wraps them, and a batch can have several.
  const parts = type === "application/json" ? [json].flat() : [{ error: { data: { problem: json } } }];
  if (type !== "application/json" && type !== "application/problem+json")
    throw new Error(`${status} as ${type}`);
  for (const { error } of parts.filter((part) => status !== 207 || part.error)) {
    if (canary.test(JSON.stringify(error))) throw new Error(`${status} repeats data: ${body}`);
    const { code, requestId } = problem.strict().parse(error.data.problem);
    const own = errorMapping[code].status;
    if ((status !== 207 && own !== status) || own >= 500) throw new Error(`${status} with ${code}`);
    if (requestId !== headers.get("x-request-id")) throw new Error(`${status} with two request ids`);
  }
  if (status === 405 && !headers.has("allow")) throw new Error("405 without Allow");
  if (status === 401 && !headers.has("www-authenticate")) throw new Error("401 without WWW-Authenticate");
  if ([429, 503].includes(status) && !headers.has("retry-after"))
    throw new Error(`${status} without Retry-After`);
}

function checkSuccess({ hasKey }: Message, { status, headers, body }: WireAnswer): void {
  // Failed calls of a streamed batch have the status 200.
  const failed = headers.get("content-type") === "application/jsonl" ? body.split("\n") : [];
  for (const line of failed.filter((text) => text.includes('"problem":'))) {
    if (canary.test(line) || /INTERNAL/.test(line)) throw new Error(`a stream contains ${line}`);
  }
  if (![200, 201, 202, 204, 302, 308].includes(status)) throw new Error(`a status ${status}`);
  if (!hasKey && /"(items|kycRecordId|result)":/.test(body) && !body.startsWith('{"openapi"')) {
    throw new Error(`${status} without a key: ${body}`);
  }
}

/**
 * Checks the log of an exchange: it has outcomes and no data of the caller. Returns whether a request succeeded, and so
 * may have changed data, even if the caller disconnected.
 */
export function checkLog(lines: readonly string[]): boolean {
  let isTaken = false;
  for (const line of lines) {
    if (canary.test(line)) throw new Error(`the log repeats data: ${line}`);
    const { level, method, status, code } = JSON.parse(line);
    if (level > 30) throw new Error(`the log has a warning or an error: ${line}`);
    isTaken ||= method === "POST" && (status < 300 || code === "KYC_REFUSED");
  }
  return isTaken;
}
