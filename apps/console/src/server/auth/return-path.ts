/** Browsers drop a cookie above 4,096 bytes, and the path is in that of the sign-in. */
const maxLength = 2_048;

/**
 * The path of a view in this console, from the parameter `return`; `/` for anything else, so that a link to the sign-in
 * cannot lead to another site.
 */
export function returnPath(text: string | undefined, publicUrl: string): string {
  if (text === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return "/";
  if (!URL.canParse(text, publicUrl)) return "/";
  const { origin, pathname, search, hash } = new URL(text, publicUrl);
  const isView = origin === publicUrl && !/^\/(?:api|auth|development-issuer|\/)/.test(pathname);
  const path = `${pathname}${search}${hash}`;
  return isView && path.length <= maxLength ? path : "/";
}
