import type { getFetch } from "@trpc/client";

/** The type of fetch in tRPC's links. */
type Fetch = ReturnType<typeof getFetch>;
type Init = Parameters<Fetch>[1];

/** Codes of a failed connection attempt. A wrong address is the likely reason. */
const connectCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * A fetch for tRPC's links. Without a response of cardbridge, the message of its error has the cause: no connection, a
 * lost connection, a page of a proxy, or another server. The message contains the address and no secret.
 */
export async function explainFetch(url: Parameters<Fetch>[0], init?: Init): Promise<Response> {
  const { origin } = new URL(url instanceof Request ? url.url : url);
  // A redirect is not followed, because it could send the data to another host.
  const sent = fetch(url, { ...(init as RequestInit), redirect: "manual" });
  const response = await sent.catch((error: unknown) => {
    throw leftByCaller(init) ? error : new Error(withoutAnswer(origin, error), { cause: error });
  });
  const parse = response.json.bind(response);
  const json = async (): Promise<unknown> => {
    const value = await parse().catch((error: unknown) => {
      if (leftByCaller(init)) throw error;
      const message = error instanceof SyntaxError ? notOurs(origin, response) : withoutAnswer(origin, error);
      throw new Error(message, { cause: error });
    });
    if (!isEnvelope(value)) throw new Error(notOurs(origin, response));
    return value;
  };
  return Object.assign(response, { json });
}

const leftByCaller = (init: Init) => init?.signal?.aborted === true;

function withoutAnswer(origin: string, error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && connectCodes.has(code)) {
    return `No connection to ${origin} (${code}): check the url and whether cardbridge is running.`;
  }
  const why = code === undefined ? "" : ` (${code})`;
  const unknown = "It is unknown whether the call took effect.";
  return `The connection to ${origin} was lost before the response was complete${why}. ${unknown}`;
}

/** The code of an error of Node's fetch, which is in its cause. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  return String(cause.code);
}

function notOurs(origin: string, { status, headers }: Response): string {
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "no content type";
  if (status === 404) return `cardbridge is not at this url of ${origin} (404, ${type}): check the url.`;
  return `The response from ${origin} is not from cardbridge (${status}, ${type}): check the url and the proxies.`;
}

/** Whether JSON is a tRPC response, of one call or of every call of a batch. */
function isEnvelope(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEnvelope);
  return typeof value === "object" && value !== null && ("result" in value || "error" in value);
}
