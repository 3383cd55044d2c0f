import type { CardListRequest } from "@cardbridge/domain";
import type { Behaviour, Received } from "./listener.ts";

export const request: CardListRequest = { userReference: "usr_1", page: 1, pageSize: 20 };
export const names = { reference: "kyc_1", userReference: "usr_1" };

export const state = {
  ...names,
  status: "approved",
  cardAccountId: "acct_1",
  revision: 1,
  updatedAt: "2026-01-31T12:00:00.000Z",
};
export const refusal = { ...names, error: { code: "kyc_refused", message: "…" } };

export const card = { userReference: "usr_1", cardId: "card_1", status: "active" };

/** A page of cards of usr_1 that answers `request`. */
export function page(items: readonly unknown[] = [card], changes: object = {}) {
  return { userReference: "usr_1", page: 1, pageSize: 20, total: items.length, items, ...changes };
}

/** A whole HTTP answer. */
export function http(status: number, body: unknown = "", headers: Record<string, string> = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { "content-length": String(Buffer.byteLength(text)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n${text}`;
}

/** Always answers so. */
export function always(...answer: Parameters<typeof http>): Behaviour {
  return (socket) => socket.write(http(...answer));
}

/** Answers a read of cards and every KYC call as a healthy provider does. */
export function healthy({ target }: Received): string {
  return http(200, target.includes("/v1/cards") ? page() : state);
}
