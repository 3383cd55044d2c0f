import { createRemoteJWKSet, jwtVerify } from "jose";

const eventName = "http://schemas.openid.net/event/backchannel-logout";
/** Only signatures with the issuer's own keys: a shared secret, or none, proves nothing. */
const algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA"];

/** The session or the person that a logout token ends. */
export interface Logout {
  tokenId: string;
  subject?: string;
  issuerSession?: string;
}

/** A function that verifies a logout token of OpenID Connect Back-Channel Logout. It throws if the token is not valid. */
export function logoutTokens(
  metadata: () => Promise<{ issuer: string; jwksUri: string }>,
  clientId: string,
  now: () => number,
): (token: string) => Promise<Logout> {
  let keys: { uri: string; find: ReturnType<typeof createRemoteJWKSet> } | undefined;
  return async (token) => {
    const { issuer, jwksUri } = await metadata();
    if (keys?.uri !== jwksUri) keys = { uri: jwksUri, find: createRemoteJWKSet(new URL(jwksUri)) };
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ["iat", "jti", "events"],
      maxTokenAge: 300,
      clockTolerance: 60,
      currentDate: new Date(now()),
    });
    const { sub, sid, jti = "", events, nonce } = payload;
    const isLogout = typeof events === "object" && events !== null && eventName in events;
    // An ID token has a nonce: it must not end a session.
    if (!isLogout || nonce !== undefined) throw new Error("The token is not a logout token.");
    if (sub === undefined && typeof sid !== "string") throw new Error("The token names nobody.");
    return {
      tokenId: jti,
      ...(sub === undefined ? {} : { subject: sub }),
      ...(typeof sid === "string" ? { issuerSession: sid } : {}),
    };
  };
}
