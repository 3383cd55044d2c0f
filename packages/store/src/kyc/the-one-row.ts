/** The row that has to be there: a record that its caller knows the id of. */
export function theOneRow<T>([row]: readonly (T | undefined)[]): T {
  if (row === undefined) throw new Error("The platform has no such KYC record.");
  return row;
}
