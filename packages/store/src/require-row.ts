/** The first row of a result that must have one, such as `KYC record` for `entity`. */
export function requireRow<T>([row]: readonly (T | undefined)[], entity: string): T {
  if (row === undefined) throw new Error(`There is no such ${entity}.`);
  return row;
}
