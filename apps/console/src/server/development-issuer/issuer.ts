import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { isLoopback } from "@cardbridge/node";
import { exportJWK, generateKeyPair } from "jose";
import type { ClientMetadata, Configuration, interactionPolicy as Policies, Provider } from "oidc-provider";
import type { IssuerConfig } from "../config/env.ts";
import type { NodeHandler } from "../http/serve.ts";
import { personOf } from "./people.ts";
import { signInPage, signInPageHeaders } from "./sign-in-page.ts";

const maxForm = 1_024;

/** The path of the issuer below the console's origin. */
export const issuerPath = "/development-issuer";
/** The audience of the access tokens that it issues. */
const developmentAudience = "urn:cardbridge:development";

/** The lifetime of access tokens, in seconds. Shorter than the service requires, so that renewals are seen. */
const tokenSeconds = 1_800;
const sessionSeconds = 8 * 3_600;

export interface DevelopmentIssuer {
  /** The console as its client. */
  config: IssuerConfig;
  handle: NodeHandler;
  provider: Provider;
}

/**
 * An issuer that signs anybody in as one of the persons in `people.ts`. Its keys live as long as the process.
 * @throws Error unless the console is on loopback: the first check is in `env.ts`, and this is the second one.
 */
export async function createDevelopmentIssuer(publicUrl: string): Promise<DevelopmentIssuer> {
  if (!isLoopback(new URL(publicUrl).hostname))
    throw new Error("The development issuer runs on loopback only.");
  // The build for production does not have this package.
  const { interactionPolicy, Provider } = await import("oidc-provider");
  const issuer = `${publicUrl}${issuerPath}`;
  const client = {
    client_id: "cardbridge-console",
    client_secret: randomBytes(32).toString("base64url"),
    redirect_uris: [`${publicUrl}/auth/callback`],
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token"],
    backchannel_logout_uri: `${publicUrl}/auth/back-channel-logout`,
    backchannel_logout_session_required: true,
  } satisfies ClientMetadata;
  const provider = new Provider(issuer, await configuration(client, interactionPolicy));
  provider.on("server_error", () => {});
  return {
    config: {
      issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
      audience: developmentAudience,
      audienceParameter: "resource",
      scope: "openid profile",
    },
    handle: handleInteractions(provider, issuerPath, new URL(publicUrl).host),
    provider,
  };
}

async function configuration(
  client: ClientMetadata,
  interactionPolicy: typeof Policies,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  // @ts-expect-error: Its types omit it. As the default, it warns at each start.
  const { createMemoryAdapter } = await import("oidc-provider/lib/adapters/memory_adapter.js");
  const { base } = interactionPolicy;
  const policy = base();
  // Everyone chooses a person at each sign-in, so the console's sign-out needs no page here.
  policy
    .get("login")
    ?.checks.add(
      new interactionPolicy.Check("always", "Choose a person.", (ctx) =>
        ctx.oidc.result?.login
          ? interactionPolicy.Check.NO_NEED_TO_PROMPT
          : interactionPolicy.Check.REQUEST_PROMPT,
      ),
    );
  return {
    adapter: createMemoryAdapter(),
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: "sig", alg: "ES256" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    cookies: {
      keys: [randomBytes(32).toString("base64url")],
      names: {
        session: "cardbridge-development-issuer",
        interaction: "cardbridge-development-issuer-sign-in",
        resume: "cardbridge-development-issuer-return",
      },
    },
    claims: { openid: ["sub"], profile: ["name"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: tokenSeconds,
      Grant: sessionSeconds,
      IdToken: tokenSeconds,
      Interaction: 600,
      RefreshToken: sessionSeconds,
      Session: sessionSeconds,
    },
    interactions: { policy, url: (_ctx, { uid }) => `${issuerPath}/interaction/${uid}` },
    async findAccount(_ctx, id) {
      const person = personOf(id);
      return person && { accountId: id, claims: async () => ({ sub: id, name: person.name }) };
    },
    async loadExistingGrant({ oidc: { client: asking, provider, session } }) {
      const grant = new provider.Grant({ clientId: asking?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid profile");
      await grant.save();
      return grant;
    },
    async extraTokenClaims({ oidc: { entities } }, token) {
      const person = "accountId" in token ? personOf(token.accountId) : undefined;
      const authTime = entities.AuthorizationCode?.authTime ?? entities.RefreshToken?.authTime;
      return person && { roles: [person.role], name: person.name, auth_time: authTime };
    },
    // The only request is the back-channel logout of the console. The agent in the options refuses loopback addresses.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as unknown as RequestInit),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, asking, token) => token.clientId === asking.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => developmentAudience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "",
          audience: developmentAudience,
          accessTokenFormat: "jwt",
          accessTokenTTL: tokenSeconds,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  };
}

/** Serves the issuer below `prefix`: its own sign-in page, and oidc-provider for all other paths. */
function handleInteractions(provider: Provider, prefix: string, host: string): NodeHandler {
  const protocol = provider.callback();
  const page = new RegExp(`^${prefix}/interaction/([A-Za-z0-9_-]{1,64})$`);

  async function signIn(request: IncomingMessage, response: ServerResponse, uid: string): Promise<void> {
    if (request.method !== "POST") {
      await provider.interactionDetails(request, response);
      response.writeHead(200, signInPageHeaders).end(signInPage(`${prefix}/interaction/${uid}`));
      return;
    }
    if (Number(request.headers["content-length"] ?? maxForm) >= maxForm)
      throw new Error("The form is too large.");
    const person = personOf(new URLSearchParams(await text(request)).get("person"));
    if (!person) throw new Error("There is no such person.");
    const login = { accountId: person.id, remember: false, ts: Math.floor(Date.now() / 1_000) };
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  }

  return (request, response) => {
    // A name that another site resolves to this machine is not this issuer.
    if (request.headers.host !== host) return refuse(response, 421);
    const path = request.url?.split("?", 1)[0] ?? "";
    const uid = page.exec(path)?.[1];
    if (uid !== undefined) {
      signIn(request, response, uid).catch(() => refuse(response, 400));
      return;
    }
    // oidc-provider finds its mount path by comparing both.
    Object.assign(request, { originalUrl: request.url, url: request.url?.slice(prefix.length) || "/" });
    void protocol(request, response);
  };
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  const page = "This sign-in has expired or was already used. Open the console and sign in again.\n";
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(page);
}
