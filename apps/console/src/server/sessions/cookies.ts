import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

/** The time for a sign-in, in seconds. */
export const signInSeconds = 600;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * The cookies of the session and of the sign-in. The pages are static and their calls come from the same site, so the
 * session's cookie can be Strict: a link from elsewhere still opens its view. The sign-in's is Lax, because the issuer
 * redirects back from another site. Browsers accept `__Host-` with https only.
 */
export function createCookies(publicUrl: string) {
  const secure = publicUrl.startsWith("https:");
  const name = `${secure ? "__Host-" : ""}cardbridge-console`;
  const shared = { path: "/", httpOnly: true, secure } as const;

  const cookie = (fullName: string, sameSite: "Strict" | "Lax", maxAge?: number) => ({
    read: (c: Context): string | undefined => getCookie(c, fullName),
    write: (c: Context, value: string) =>
      setCookie(c, fullName, value, { ...shared, sameSite, ...(maxAge === undefined ? {} : { maxAge }) }),
    clear: (c: Context) => void deleteCookie(c, fullName, shared),
  });

  return { session: cookie(name, "Strict"), signIn: cookie(`${name}-sign-in`, "Lax", signInSeconds) };
}
