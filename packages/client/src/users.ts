import type { CallOptions } from "./options.ts";
import { jsonBody, type Send } from "./request.ts";
import type { EmailChange, UserId } from "./types.ts";

/** The operations on users. */
export interface Users {
  /** Changes the e-mail of the user with this memberId. Repeating the call is safe. */
  changeEmail(change: EmailChange, options?: CallOptions): Promise<UserId>;
}

export function createUsers(send: Send): Users {
  return {
    changeEmail: async (change, options) =>
      send({ method: "POST", path: "/users/email", body: jsonBody(change) }, options),
  };
}
