import type { CardListRequest } from "@cardbridge/domain";
import { memorySteps, newKycRequest } from "../../src/conformance/inputs.ts";
import type { Behaviour, Received } from "./listener.ts";

export const request: CardListRequest = { userReference: "usr_1", page: 1, pageSize: 20 };
export const kycReference = { reference: "kyc_1", userReference: "usr_1" };
export const kycRequest = { ...newKycRequest("ada@example.com"), ...kycReference };
export const kycQuery = { ...kycReference, steps: memorySteps() };

export const state = {
  ...kycReference,
  status: "approved",
  cardAccountId: "acct_1",
  revision: 1,
  updatedAt: "2026-01-31T12:00:00.000Z",
};
export const refusal = { ...kycReference, error: { code: "kyc_refused", message: "…" } };

export const card = { userReference: "usr_1", cardId: "card_1", status: "active" };

/** The JSON of a page of cards of usr_1 that matches `request`. */
export function page(items: readonly unknown[] = [card], changes: object = {}) {
  return { userReference: "usr_1", page: 1, pageSize: 20, total: items.length, items, ...changes };
}

/** A complete HTTP response as text. */
export function http(status: number, body: unknown = "", headers: Record<string, string> = {}): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { "content-length": String(Buffer.byteLength(text)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n${text}`;
}

/** Sends the same response to every request. */
export function always(...response: Parameters<typeof http>): Behaviour {
  return (socket) => socket.write(http(...response));
}

/** The valid response to a list of cards or to any KYC call. */
export function healthy({ target }: Received): string {
  return http(200, target.includes("/v1/cards") ? page() : state);
}
