import { type CardbridgeError, ProblemError, ResponseError } from "./errors.ts";
import { readText } from "./read-text.ts";
import { infoOf, noteResponse } from "./response-info.ts";
import { isRetryable } from "./retryable.ts";
import type { Problem } from "./types.ts";

/**
 * Reads a response to its end. Returns its result or its error.
 * @throws if the connection is lost before the end.
 */
export async function readResponse<T extends object>(
  response: Response,
): Promise<{ result: T } | { error: CardbridgeError }> {
  const { status, headers } = response;
  const info = infoOf(headers);
  const body = parseObject(await readText(response));
  if (response.ok && body) return { result: noteResponse(body as T, info) };
  if (!response.ok && isProblem(body)) {
    const details = { ...info, retryable: isRetryable(status, body.code) };
    return { error: new ProblemError(body, details) };
  }
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "no content type";
  const message = `The response is not from cardbridge (${status}, ${type}): check the baseUrl and the proxies.`;
  return { error: new ResponseError(message, { ...info, retryable: isRetryable(status), status }) };
}

function parseObject(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks only the fields that the client reads. The code may be unknown. */
function isProblem(body: object | undefined): body is Problem {
  if (body === undefined || !("code" in body) || !("message" in body)) return false;
  return typeof body.code === "string" && typeof body.message === "string";
}
