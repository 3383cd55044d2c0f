import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { IdentityProvider } from "../auth/identity-provider.ts";
import type { Links } from "../config/env.ts";
import type { Log } from "../http/log.ts";
import type { Metrics } from "../http/metrics.ts";
import { problemResponse } from "../http/problem.ts";
import { reasonOf } from "../http/reason-of.ts";
import type { RequestVariables } from "../http/request-log.ts";
import { isAct, isFromConsole } from "../http/same-origin.ts";
import type { Cookies } from "../sessions/cookies.ts";
import { hashOf } from "../sessions/seal.ts";
import type { OpenSession, Sessions } from "../sessions/sessions.ts";
import { createCurrentSession } from "./current-session.ts";
import { createOpenStreams } from "./open-streams.ts";
import { procedures } from "./procedures.ts";
import { type Service, ServiceUnavailable } from "./service.ts";
import { untilSessionEnds } from "./session-stream.ts";

/** The service's JSON bodies of operators are smaller. In bytes. */
const maxBody = 65_536;
/** Below the service's limit of a request's head, in characters. */
const maxQuery = 8_192;

/** The response headers of the service that reach the browser. */
const returned = [
  "content-type",
  "idempotent-replayed",
  "retry-after",
  "x-request-id",
  "x-cardbridge-environment",
];

export interface ApiOptions {
  publicUrl: string;
  slaHours: number;
  /** Where pages link to, if it is configured. */
  links: Links;
  service: Service;
  sessions: Sessions;
  cookies: Cookies;
  identityProvider: Pick<IdentityProvider, "renew">;
  metrics: Pick<Metrics, "renewal" | "streamOpened" | "streamClosed">;
  log: Log;
  now: () => number;
  /** How often an open stream checks its session, in milliseconds. */
  streamCheckMs?: number | undefined;
  /** Aborted when the process ends its streams. */
  closing?: AbortSignal | undefined;
}

interface ApiEnv {
  Variables: RequestVariables & { session: OpenSession };
}

/** What the console's pages call: who is signed in, and the service's procedures. */
export function createApi(options: ApiOptions): Hono<ApiEnv> {
  const { publicUrl, slaHours, links, service, sessions, cookies, log, streamCheckMs, closing } = options;
  const currentSession = createCurrentSession(options);
  const openStreams = createOpenStreams(options.metrics);
  const app = new Hono<ApiEnv>();

  app.use(async (c, next) => {
    if (!isFromConsole(c, publicUrl)) return problemResponse("REQUEST_REFUSED", c.get("requestId"));
    const session = await currentSession(cookies.session.read(c), { act: isAct(c) });
    if (!session) {
      // The page of the sign-in shows the environment too.
      const shown = c.req.path === "/api/session" ? { environment: await service.environment() } : {};
      return problemResponse("SIGN_IN_REQUIRED", c.get("requestId"), shown);
    }
    c.set("session", session);
    return next();
  });

  app.get("/session", async (c) => {
    const { name, subject } = c.get("session");
    // The page tells by it whether another person signed in.
    const person = hashOf(subject);
    return c.json({ name, person, environment: await service.environment(), slaHours, ...links });
  });

  const tooLarge = bodyLimit({
    maxSize: maxBody,
    onError: (c) => problemResponse("PAYLOAD_TOO_LARGE", c.get("requestId")),
  });

  app.on(["GET", "POST"], "/trpc/:names", tooLarge, async (c) => {
    const refuse = (code: Parameters<typeof problemResponse>[0]) => problemResponse(code, c.get("requestId"));
    const { method } = c.req;
    // Hono runs this for HEAD too, and would never end a stream of which it sends the head alone.
    if (method === "HEAD") return refuse("METHOD_NOT_ALLOWED");
    const names = c.req.param("names").split(",");
    const called = names.map((name) => procedures.get(name));
    if (!called.every((one) => one !== undefined)) return refuse("PROCEDURE_NOT_ALLOWED");
    c.set("procedures", [...new Set(names)].join(","));
    const isWrite = called.some(({ kind }) => kind === "mutation");
    const isQuery = called.every(({ kind }) => kind === "query");
    // Pages send queries as POST, so that what somebody searches for is in no address.
    const fits = method === "POST" ? isQuery || (isWrite && names.length === 1) : !isWrite;
    if (!fits) return refuse("METHOD_NOT_ALLOWED");
    const isJson = /^application\/json\s*(?:;|$)/i.test(c.req.header("content-type") ?? "");
    if (method === "POST" && !isJson) return refuse("UNSUPPORTED_MEDIA_TYPE");

    const session = c.get("session");
    const left = new AbortController();
    c.req.raw.signal.addEventListener("abort", () => left.abort(), { once: true });
    const isSubscription = called.some(({ kind }) => kind === "subscription");
    const release = isSubscription ? openStreams.take(session.id) : () => {};
    if (!release) return refuse("RATE_LIMITED");
    let streams = false;
    try {
      const url = new URL(c.req.url);
      const body = method === "POST" ? await c.req.text() : "";
      if (!isWrite && body !== "") url.searchParams.set("input", body);
      if (url.search.length > maxQuery) return refuse("PAYLOAD_TOO_LARGE");
      const response = await service.call(
        {
          // The service reads queries as GET only.
          method: isWrite ? "POST" : "GET",
          path: `${names.join(",")}${url.search}`,
          headers: c.req.raw.headers,
          body: isWrite ? body : undefined,
          signal: left.signal,
        },
        session.tokens,
      );
      if (!response.body || !isStream(response)) return passOn(response);
      const isOpen = async () => (await sessions.find(session.id, { act: false })) !== undefined;
      const end = () => {
        left.abort();
        release();
      };
      streams = true;
      return passOn(response, untilSessionEnds(response.body, isOpen, end, closing, streamCheckMs));
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
      // The service is not away if the browser did not wait.
      if (!left.signal.aborted) log("warn", "service_unavailable", { reason: reasonOf(error.cause) });
      return refuse(isWrite ? "OUTCOME_UNKNOWN" : "SERVICE_UNAVAILABLE");
    } finally {
      if (!streams) release();
    }
  });

  app.all("/trpc/:names", (c) => problemResponse("METHOD_NOT_ALLOWED", c.get("requestId")));
  app.all("*", (c) => problemResponse("ROUTE_NOT_FOUND", c.get("requestId")));

  return app;
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

function passOn(response: Response, body: ReadableStream<Uint8Array> | null = response.body): Response {
  const headers = new Headers();
  for (const name of returned) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(body, { status: response.status, headers });
}
