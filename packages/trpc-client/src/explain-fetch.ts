import type { getFetch } from "@trpc/client";

/** As tRPC's links call it. */
type Fetch = ReturnType<typeof getFetch>;
type Init = Parameters<Fetch>[1];

/** Codes of a connection that was never made, where a wrong address is the likely reason. */
const neverMade = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Fetches as tRPC's links do, and throws a sentence that says which it was where no answer of cardbridge came: no
 * connection, a lost one, a page of a proxy's, or another server. The sentence names the address and no secret.
 */
export async function explainFetch(url: Parameters<Fetch>[0], init?: Init): Promise<Response> {
  const { origin } = new URL(url instanceof Request ? url.url : url);
  // A redirect is not followed: it could carry the data to another host.
  const sent = fetch(url, { ...(init as RequestInit), redirect: "manual" });
  const response = await sent.catch((error: unknown) => {
    throw leftByCaller(init) ? error : new Error(withoutAnswer(origin, error), { cause: error });
  });
  const parse = response.json.bind(response);
  const json = async (): Promise<unknown> => {
    const value = await parse().catch((error: unknown) => {
      if (leftByCaller(init)) throw error;
      const sentence =
        error instanceof SyntaxError ? notOurs(origin, response) : withoutAnswer(origin, error);
      throw new Error(sentence, { cause: error });
    });
    if (!isEnvelope(value)) throw new Error(notOurs(origin, response));
    return value;
  };
  return Object.assign(response, { json });
}

const leftByCaller = (init: Init) => init?.signal?.aborted === true;

function withoutAnswer(origin: string, error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined && neverMade.has(code)) {
    return `No connection to ${origin} (${code}): check the url, and that cardbridge runs there.`;
  }
  const why = code === undefined ? "" : ` (${code})`;
  return `The connection to ${origin} was lost before its answer was complete${why}. Whether the call took effect is not known.`;
}

/** The code that Node's fetch hides in the cause of its error. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  return String(cause.code);
}

function notOurs(origin: string, { status, headers }: Response): string {
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "no content type";
  if (status === 404) return `There is no cardbridge at this url of ${origin} (404, ${type}): check the url.`;
  return `A proxy or another server answered for ${origin} (${status}, ${type}), not cardbridge: check the url and what is in front of it.`;
}

/** Whether JSON is what tRPC answers with: of one call, or of each of a batch. */
function isEnvelope(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEnvelope);
  return typeof value === "object" && value !== null && ("result" in value || "error" in value);
}
