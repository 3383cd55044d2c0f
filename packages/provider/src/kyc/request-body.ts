/** Builds the body of a request from values by their paths, such as `applicant.phone.number`. Omits undefined values. */
export function requestBody(
  values: Iterable<readonly [path: string, value: unknown]>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of values) {
    if (value === undefined) continue;
    const names = path.split(".");
    const last = names.pop() ?? path;
    let part = body;
    for (const name of names) {
      part[name] ??= {};
      part = part[name] as Record<string, unknown>;
    }
    part[last] = value;
  }
  return body;
}
