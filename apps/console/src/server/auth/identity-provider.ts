import * as oidc from "openid-client";
import type { IssuerConfig } from "../config/env.ts";
import type { Tokens } from "../sessions/session.ts";
import type { PendingSignIn } from "./pending-sign-ins.ts";

/** The service refuses access tokens that are older, whatever their own lifetime is. In seconds. */
const maxTokenAge = 3_600;
/** An access token is replaced this early, in seconds. */
const renewEarly = 120;
const timeoutSeconds = 10;

/** A person as the issuer describes them. */
export interface SignedIn {
  subject: string;
  issuerSession: string | undefined;
  name: string | null;
  tokens: Tokens;
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/** The issuer, as openid-client sees it. It is discovered at the first use. */
export function createIdentityProvider(config: IssuerConfig, publicUrl: string, now: () => number) {
  const redirectUri = `${publicUrl}/auth/callback`;
  let discovered: Promise<oidc.Configuration> | undefined;

  function discover(): Promise<oidc.Configuration> {
    discovered ??= oidc
      .discovery(new URL(config.issuer), config.clientId, {}, authenticationOf(config.clientSecret), {
        timeout: timeoutSeconds,
        execute: config.issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  }

  const audience: Record<string, string> =
    config.audienceParameter === "none" ? {} : { [config.audienceParameter]: config.audience };

  function tokensOf(
    response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    before?: Tokens,
  ): Tokens {
    const seconds = Math.min(response.expiresIn() ?? maxTokenAge, maxTokenAge);
    const refresh = response.refresh_token ?? before?.refresh;
    return {
      access: response.access_token,
      expiresAt: now() + Math.max(seconds - renewEarly, seconds / 2) * 1_000,
      ...(refresh === undefined ? {} : { refresh }),
      id: response.id_token ?? before?.id ?? "",
    };
  }

  return {
    /** The values of a new sign-in, and the address at the issuer to which the browser goes. */
    async begin(
      fresh: boolean,
    ): Promise<{ url: URL; values: Pick<PendingSignIn, "state" | "nonce" | "verifier"> }> {
      const issuer = await discover();
      const values = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(issuer, {
        redirect_uri: redirectUri,
        scope: config.scope,
        state: values.state,
        nonce: values.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(values.verifier),
        code_challenge_method: "S256",
        ...audience,
        ...(fresh ? { prompt: "login", max_age: "0" } : {}),
      });
      return { url, values };
    },

    /**
     * Exchanges the code in the returned query.
     * @throws Error if state, nonce, code or the ID token is wrong.
     */
    async finish({ state, nonce, verifier, fresh }: PendingSignIn, query: string): Promise<SignedIn> {
      const response = await oidc.authorizationCodeGrant(
        await discover(),
        new URL(`${redirectUri}${query}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          // Issuers round auth_time, and a person may think at the consent page.
          ...(fresh ? { maxAge: 600 } : {}),
        },
        audience,
      );
      const claims = response.claims();
      if (!claims) throw new Error("The issuer sent no ID token.");
      const { sid, name, preferred_username: username } = claims;
      return {
        subject: claims.sub,
        issuerSession: typeof sid === "string" ? sid : undefined,
        name:
          ([name, username].find((text) => typeof text === "string" && text !== "") as string | undefined) ??
          null,
        tokens: tokensOf(response),
      };
    },

    /** New tokens; undefined if the issuer refuses, and the person must sign in again. */
    async renew(before: Tokens & { refresh: string }): Promise<Tokens | undefined> {
      try {
        return tokensOf(await oidc.refreshTokenGrant(await discover(), before.refresh, audience), before);
      } catch (error) {
        if (error instanceof oidc.ResponseBodyError && error.status < 500) return undefined;
        throw error;
      }
    },

    /** Revokes the refresh token, if the issuer can. Returns where the browser ends its session at the issuer. */
    async signOut({ refresh, id }: Tokens): Promise<string> {
      const issuer = await discover();
      const { end_session_endpoint: end, revocation_endpoint: revocation } = issuer.serverMetadata();
      if (refresh !== undefined && revocation !== undefined) {
        await oidc.tokenRevocation(issuer, refresh, { token_type_hint: "refresh_token" }).catch(() => {});
      }
      if (end === undefined) return "/";
      return oidc.buildEndSessionUrl(issuer, { id_token_hint: id, post_logout_redirect_uri: `${publicUrl}/` })
        .href;
    },

    /** Where the issuer's keys are, and who it is. */
    async metadata(): Promise<{ issuer: string; jwksUri: string }> {
      const { issuer, jwks_uri: jwksUri } = (await discover()).serverMetadata();
      if (jwksUri === undefined) throw new Error("The issuer publishes no keys.");
      return { issuer, jwksUri };
    },
  };
}

/** Whether an error means that the issuer did not answer; any other one is a refusal. */
export function isIssuerAway(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (error instanceof oidc.ClientError) {
    return error.code === "OAUTH_TIMEOUT" || (error.cause instanceof Response && error.cause.status >= 500);
  }
  // A failed fetch; wrong arguments have a code.
  return error instanceof TypeError && !("code" in error);
}

/** Sends the secret in the way that the issuer supports. */
function authenticationOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  return (issuer, ...rest) => {
    const methods = issuer.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const usesPost = !methods.includes("client_secret_basic");
    (usesPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret))(issuer, ...rest);
  };
}
