/**
 * A blob's name as part of a path. They are random ids of ours: any other is a mistake in a program.
 * @throws TypeError
 */
export function checkedName(name: string): string {
  if (!/^[0-9a-z_-]{1,128}$/.test(name)) {
    throw new TypeError("A blob's name has 1 to 128 of 0-9, a-z, _ and -.");
  }
  return name;
}
