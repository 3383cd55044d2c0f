/** The first row of a result that must have one. `entity` describes it in the error, such as `KYC record`. */
export function requireRow<T>([row]: readonly (T | undefined)[], entity: string): T {
  if (row === undefined) throw new Error(`There is no such ${entity}.`);
  return row;
}
