/** A file's URL without its query and fragment, which differ with every signature. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}
