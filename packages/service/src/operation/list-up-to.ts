/**
 * Lists up to `limit` items, and requests one more to find out whether more exist.
 *
 * @param list returns at most the given number of items
 */
export async function listUpTo<T>(
  limit: number,
  list: (limit: number) => Promise<T[]>,
): Promise<{ items: T[]; more: boolean }> {
  const items = await list(limit + 1);
  return { items: items.slice(0, limit), more: items.length > limit };
}
