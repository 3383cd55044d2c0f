/**
 * Validates a blob's name before it becomes part of a path. Names are random ids that the service creates, so any other
 * name is a programming error.
 * @throws TypeError
 */
export function checkedName(name: string): string {
  if (!/^[0-9a-z_-]{1,128}$/.test(name)) {
    throw new TypeError("A blob's name must have 1 to 128 characters of 0-9, a-z, _ and -.");
  }
  return name;
}
