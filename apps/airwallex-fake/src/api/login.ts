import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { ApiError, tooManyRequests } from "../api-error.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { answer } from "../http/json.ts";
import { timestamp } from "../time.ts";

/** `POST /api/v1/authentication/login`: exchanges the API key for a token. */
export function loginRoutes({ tokens, credentials }: Dependencies): Hono<Env> {
  return new Hono<Env>().post("/api/v1/authentication/login", (context) => {
    if (!tokens.countLogin()) return context.json(tooManyRequests, 429);
    const clientId = context.req.header("x-client-id");
    const apiKey = context.req.header("x-api-key");
    if (clientId !== credentials.clientId || apiKey !== credentials.apiKey) {
      throw new ApiError("credentials_invalid", "UNAUTHORIZED");
    }
    const { token, expiresAt } = tokens.issue();
    return answer(context, "Token", { token, expires_at: timestamp(expiresAt) }, 201);
  });
}

/** Requires a valid token: 403 without a token, 401 with an unknown or expired token. */
export function requireToken({ tokens }: Dependencies) {
  return createMiddleware<Env>(async (context, next) => {
    const [, token] = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "") ?? [];
    if (token === undefined) throw new ApiError("access_denied", "The authentication token is not provided.");
    const state = tokens.stateOf(token);
    if (state === "unknown") throw new ApiError("unauthorized", "Access denied, authentication failed");
    if (state === "expired") throw new ApiError("credentials_expired", "The token has expired.");
    const version = context.req.header("x-api-version") ?? "2025-06-30";
    if (!/^\d{4}-\d\d-\d\d$/.test(version) || version < "2024-03-31") {
      throw new ApiError(
        "invalid_argument",
        "This fake supports API versions from 2024-03-31.",
        "x-api-version",
      );
    }
    await next();
  });
}
