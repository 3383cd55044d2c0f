/** An id shortened in the middle: its prefix, four characters, and the last four, which differ most. */
export function shortId(id: string): string {
  const prefix = /^[a-z]{2,8}_/.exec(id)?.[0] ?? "";
  const rest = id.slice(prefix.length);
  return rest.length <= 10 ? id : `${prefix}${rest.slice(0, 4)}…${rest.slice(-4)}`;
}
