import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Log } from "../http/log.ts";
import type { Metrics, SignInOutcome } from "../http/metrics.ts";
import { problemResponse } from "../http/problem.ts";
import { reasonOf } from "../http/reason-of.ts";
import type { RequestVariables } from "../http/request-log.ts";
import { isFromConsole } from "../http/same-origin.ts";
import type { Cookies } from "../sessions/cookies.ts";
import { hashOf, isId } from "../sessions/seal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { StoreUnavailable } from "../sessions/store.ts";
import { type IdentityProvider, isIssuerAway } from "./identity-provider.ts";
import type { Logout } from "./logout-token.ts";
import { createPendingSignIns } from "./pending-sign-ins.ts";

/** Browsers drop a cookie above 4,096 bytes, and the path is in that of the sign-in. */
const maxLength = 2_048;

export interface AuthOptions {
  publicUrl: string;
  /** The key of the service, which all processes have. The key of the cookies of sign-ins is derived from it. */
  serviceKey: string;
  now: () => number;
  identityProvider: IdentityProvider;
  verifyLogout: (token: string) => Promise<Logout>;
  sessions: Sessions;
  cookies: Cookies;
  metrics: Pick<Metrics, "signIn">;
  log: Log;
}

/** Why a sign-in failed, for the view at `/sign-in`. */
type SignInError = "refused" | "unavailable";
/** Another try returns to the same view. */
const errorPath = (error: SignInError, returnTo = "/") =>
  `/sign-in?error=${error}${returnTo === "/" ? "" : `&return=${encodeURIComponent(returnTo)}`}`;

/** Signs persons in and out. */
export function createAuth(options: AuthOptions): Hono<{ Variables: RequestVariables }> {
  const { publicUrl, identityProvider, verifyLogout, sessions, cookies, metrics, log } = options;
  const pendingSignIns = createPendingSignIns(options.serviceKey, options.now);
  const app = new Hono<{ Variables: RequestVariables }>();

  app.get("/sign-in", async (c) => {
    const fresh = c.req.query("fresh") === "1";
    const returnTo = returnPath(c.req.query("return"), publicUrl);
    try {
      const { url, values } = await identityProvider.begin(fresh);
      const current = cookies.session.read(c);
      const sealed = pendingSignIns.seal({
        ...values,
        returnTo,
        fresh,
        // The callback comes from another site, so it does not have the session's cookie.
        ...(isId(current) ? { replaces: hashOf(current) } : {}),
      });
      cookies.signIn.write(c, sealed);
      return c.redirect(url.href, 303);
    } catch (error) {
      return c.redirect(failed(error, "issuer-unavailable", returnTo), 303);
    }
  });

  app.get("/callback", async (c) => {
    const begun = pendingSignIns.open(cookies.signIn.read(c));
    if (!begun) {
      metrics.signIn("expired");
      return c.redirect(errorPath("refused"), 303);
    }
    try {
      // The return of an older sign-in, in another tab, is refused below, and leaves the newest one as it is.
      if (c.req.query("state") === begun.state) cookies.signIn.clear(c);
      const person = await identityProvider.finish(begun, new URL(c.req.url).search);
      const { issuerSession, ...rest } = person;
      const opened = await sessions.create({
        ...rest,
        ...(issuerSession === undefined ? {} : { issuerSession }),
      });
      // Not before: a store that refuses the new session would leave the person without any.
      if (begun.replaces !== undefined) await sessions.end(begun.replaces);
      cookies.session.write(c, opened.id);
      metrics.signIn("done");
      return c.redirect(begun.returnTo, 303);
    } catch (error) {
      const ofIssuer = isIssuerAway(error) ? "issuer-unavailable" : "refused";
      return c.redirect(failed(error, ofIssuer, begun.returnTo), 303);
    }
  });

  app.post("/sign-out", async (c) => {
    if (!isFromConsole(c, publicUrl)) return problemResponse("REQUEST_REFUSED", c.get("requestId"));
    const found = await sessions.find(cookies.session.read(c), { act: false });
    // The cookie stays until the session has ended: a person who is told to try again still can.
    if (found) await sessions.end(hashOf(found.id));
    cookies.session.clear(c);
    if (!found) return c.json({ redirect: "/" });
    // The session has ended here, even if the issuer is away.
    const redirect = await identityProvider.signOut(found.tokens).catch(() => "/");
    return c.json({ redirect });
  });

  const small = bodyLimit({ maxSize: 16_384, onError: (c) => c.json({ error: "invalid_request" }, 400) });
  app.post("/back-channel-logout", small, async (c) => {
    try {
      const { logout_token: token } = await c.req.parseBody();
      const logout = await verifyLogout(String(token));
      if (await sessions.once(`logout:${logout.tokenId}`, 600)) await sessions.endAll(logout);
      return c.body(null, 200);
    } catch (error) {
      // The issuer tries again.
      if (error instanceof StoreUnavailable) throw error;
      log("warn", "logout_refused", { reason: reasonOf(error) });
      return c.json({ error: "invalid_request" }, 400);
    }
  });

  app.all("*", (c) => problemResponse("ROUTE_NOT_FOUND", c.get("requestId")));

  /** Counts and logs a failed sign-in. Returns the address of the view that explains it. */
  function failed(error: unknown, ofIssuer: "issuer-unavailable" | "refused", returnTo: string): string {
    const outcome: SignInOutcome = error instanceof StoreUnavailable ? "sessions-unavailable" : ofIssuer;
    metrics.signIn(outcome);
    const isRefused = outcome === "refused";
    log("warn", isRefused ? "sign_in_refused" : "sign_in_unavailable", { reason: reasonOf(error) });
    return errorPath(isRefused ? "refused" : "unavailable", returnTo);
  }

  return app;
}

/**
 * The path of a view in this console, from the parameter `return`; `/` for anything else, so that a link to the sign-in
 * cannot lead to another site.
 */
function returnPath(text: string | undefined, publicUrl: string): string {
  if (text === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return "/";
  if (!URL.canParse(text, publicUrl)) return "/";
  const { origin, pathname, search, hash } = new URL(text, publicUrl);
  const isView = origin === publicUrl && !/^\/(?:api|auth|development-issuer|\/)/.test(pathname);
  const path = `${pathname}${search}${hash}`;
  return isView && path.length <= maxLength ? path : "/";
}
