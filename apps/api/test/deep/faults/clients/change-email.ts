import type { UserNames } from "@cardbridge/domain";

/** Asks for a user's e-mail to be changed. Returns the status; 0 where there was no answer. */
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
