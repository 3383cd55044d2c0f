/**
 * Lists up to `limit` items and tells whether there are more: one extra item shows it.
 *
 * @param list returns at most as many items as it is given
 */
export async function listUpTo<T>(
  limit: number,
  list: (limit: number) => Promise<T[]>,
): Promise<{ items: T[]; more: boolean }> {
  const items = await list(limit + 1);
  return { items: items.slice(0, limit), more: items.length > limit };
}
