import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export const audience = "cardbridge";

/** An issuer's key pair, and its public part as the issuer publishes it. */
export async function makeIssuerKey(kid: string, alg = "ES256") {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

export type IssuerKey = Awaited<ReturnType<typeof makeIssuerKey>>;

/** Signs an access token of five minutes. `claims` replace its claims; undefined removes one. */
export function signToken(
  {
    kid,
    alg,
    privateKey,
  }: Pick<IssuerKey, "kid" | "alg"> & { privateKey: IssuerKey["privateKey"] | Uint8Array },
  claims: Record<string, unknown> = {},
  header: object = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const payload = { aud: audience, sub: "subject-1", iat, exp: iat + 300, ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: "at+jwt", ...header }).sign(privateKey);
}

/** Starts an issuer on this machine, with discovery and one key. */
export async function startIssuer() {
  const key = await makeIssuerKey("key-1");
  let issuer = "";
  const server = createServer(({ url }, response) => {
    const documents: Record<string, object> = {
      "/.well-known/openid-configuration": { issuer, jwks_uri: `${issuer}/keys` },
      "/keys": { keys: [key.jwk] },
    };
    const document = documents[url ?? ""];
    response.writeHead(document ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    key,
    token: (claims: Record<string, unknown> = {}) => signToken(key, { iss: issuer, ...claims }),
    /** The environment of a service that accepts the issuer's tokens. */
    env: {
      PERSONS_ISSUER: issuer,
      PERSONS_AUDIENCE: audience,
      PERSONS_ROLES: "roles",
      PERSONS_PLATFORMS: "platforms",
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
