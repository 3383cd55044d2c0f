import { sign } from "../../../lib/contract.mjs";
import { Problem } from "./problem.js";
import { type Submission, toProviderBody } from "./submission.js";

/** The signed call that lists cards. */
export function cardsCall(userReference: string, query: { status?: string; page: number; pageSize: number }) {
  const path = "/v1/cards";
  const { status, page, pageSize } = query;
  const parameters = new URLSearchParams({ userReference, page: String(page), pageSize: String(pageSize) });
  if (status !== undefined) parameters.set("status", status);
  parameters.set("sort", "-createdAt,cardId");
  const text = parameters.toString();
  return { method: "GET" as const, path: `${path}?${text}`, headers: sign("GET", path, text) };
}

/** The signed call that submits. */
export function kycCall(reference: string, userReference: string, submission: Submission) {
  const path = `/v1/kyc/${reference}`;
  const body = JSON.stringify(toProviderBody(submission, userReference));
  const headers = { ...sign("PUT", path, "", body), "content-type": "application/json" };
  return { method: "PUT" as const, path, headers, body };
}

/** Why there is no list, by the provider's status; undefined when it is an answer. */
export function listFailure(status: number): Problem | undefined {
  if (status === 200) return undefined;
  const unavailable = status >= 500 || status === 429 || status === 401 || status === 403;
  return new Problem(unavailable ? "PROVIDER_UNAVAILABLE" : "PROVIDER_ANSWER_INVALID");
}

interface Page {
  userReference: string;
  page: number;
  pageSize: number;
  items: { userReference: string }[];
}

/** Throws unless this is the page that was asked for, about this user, in whole and card by card. */
export function assertAnswers(
  answer: Page,
  userReference: string,
  { page, pageSize }: { page: number; pageSize: number },
): void {
  const about = (one: { userReference: string }) => one.userReference === userReference;
  const asked = answer.page === page && answer.pageSize === pageSize;
  if (!asked || !about(answer) || !answer.items.every(about)) throw new Problem("PROVIDER_ANSWER_INVALID");
}
