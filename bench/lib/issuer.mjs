import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const audience = "bench";

/** Starts an issuer of persons' access tokens. `env` configures a service for it, and `token` signs a token. */
export async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256", use: "sig" };
  let issuer = "";
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "application/json");
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(url === "/keys" ? { keys: [jwk] } : discovery));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${server.address().port}`;
  return {
    env: { PERSONS_ISSUER: issuer, PERSONS_AUDIENCE: audience, PERSONS_ROLES: "roles" },
    token: (name, roles) =>
      new SignJWT({ name, roles })
        .setProtectedHeader({ alg: "ES256", kid: "bench", typ: "at+jwt" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(name)
        .setIssuedAt()
        .setExpirationTime("30m")
        .sign(privateKey),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
