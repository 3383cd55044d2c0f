import type { UserNames } from "@cardbridge/domain";

/** Requests the change of a user's e-mail. Returns the status, or 0 without a response. */
export function changeEmail(names: UserNames, { url, key }: { url: string; key: string }): Promise<number> {
  return fetch(`${url}/openapi/v1/users/email`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(names),
    signal: AbortSignal.timeout(60_000),
  }).then(
    ({ status }) => status,
    () => 0,
  );
}
