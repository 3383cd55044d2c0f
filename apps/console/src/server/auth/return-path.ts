/**
 * The path of a view in this console, from the parameter `return`; `/` for anything else, so that a link to the sign-in
 * cannot lead to another site.
 */
export function returnPath(text: string | undefined, publicUrl: string): string {
  if (text === undefined || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text) || text.length > 2_048) return "/";
  if (!URL.canParse(text, publicUrl)) return "/";
  const { origin, pathname, search, hash } = new URL(text, publicUrl);
  const isView = origin === publicUrl && !/^\/(?:api|auth|development-issuer|\/)/.test(pathname);
  return isView ? `${pathname}${search}${hash}` : "/";
}
