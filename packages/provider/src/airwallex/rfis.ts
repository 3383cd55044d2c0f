import {
  type AskedSubmission,
  type KycVerdict,
  maxRequests,
  type ProviderDocumentRequest,
  type ProviderSteps,
  providerDocumentRequest,
} from "@cardbridge/domain";
import { bodyOf, type CardContext, responseOf } from "../cards/card-answer.ts";
import { dataIn } from "../http/read-json.ts";
import { type FailedReply, invalidReply } from "../kyc/failed-reply.ts";
import { type Calls, parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { errorAnswer, type Rfi, type RfiRound, rfi, rfiPage } from "./wire.ts";

/*
 * Airwallex asks for more by a request for information (RFI). One RFI asks several questions at a time, a round, about
 * one or more cardholders; after the answers it may ask again in another round. Each question is a document request.
 */

export const rfisPath = "/api/v1/rfis";

/** The maximum number of pages of open RFIs that one query reads. */
const maxPages = 10;

/** The step with the ids of the cardholder's latest RFI and of the one before it. */
const rfiStep = "rfi";

/**
 * Adds the document requests of a cardholder to its verdict, unless that is final. Airwallex lists the open RFIs of the
 * account; an RFI that was open once is read by its id. If they cannot be read, the verdict says nothing about requests.
 */
export async function withRequests<V extends Extract<KycVerdict, { outcome: "answered" }>>(
  verdict: V,
  cardholderId: string,
  options: Calls & { steps: ProviderSteps },
): Promise<V> {
  if (verdict.status === "APPROVED" || verdict.status === "REJECTED") return verdict;
  const { steps } = options;
  const listed = await findOpen(cardholderId, options);
  if ("failed" in listed) return verdict;
  const kept = await steps.done(rfiStep);
  const { open } = listed;
  if (open && open.id !== kept?.id) {
    await steps.keep(rfiStep, { id: open.id, ...(kept?.id !== undefined && { before: kept.id }) });
  }
  const known = open ? [open] : [];
  for (const id of [kept?.id, kept?.before]) {
    if (id === undefined || id === open?.id) continue;
    const found = await readRfi(id, options);
    if ("failed" in found) return verdict;
    known.push(found.rfi);
  }
  const requests = known.flatMap((one) => toRequests(one, cardholderId)).slice(0, maxRequests);
  return requests.length > 0 ? { ...verdict, requests } : verdict;
}

/** Reads an RFI. */
export async function readRfi(
  id: string,
  { client, context, remaining }: Calls,
): Promise<{ rfi: Rfi } | { failed: FailedReply }> {
  const result = await client.read("rfis", `${rfisPath}/${encodeURIComponent(id)}`, { ms: remaining() });
  const parsed = parseAnswer(result, rfi, context);
  if ("failed" in parsed) return parsed;
  return parsed.data.id === id ? { rfi: parsed.data } : { failed: invalidReply("mismatched", context) };
}

/** The open RFI about a cardholder, if there is one. */
async function findOpen(
  cardholderId: string,
  { client, context, remaining }: Calls,
): Promise<{ open: Rfi | undefined } | { failed: FailedReply }> {
  const query = new URLSearchParams("types=CARDHOLDER&statuses=ACTION_REQUIRED&page_size=100");
  for (let pages = 0; pages < maxPages; pages += 1) {
    const result = await client.read("rfis", `${rfisPath}?${query}`, { ms: remaining() });
    const parsed = parseAnswer(result, rfiPage, context);
    if ("failed" in parsed) return parsed;
    const rfis = parsed.data.items.flatMap((item) => rfi.safeParse(item).data ?? []);
    const open = rfis.find((one) => cardholdersOf(one.active_request).has(cardholderId));
    if (open || parsed.data.page_after === undefined) return { open };
    query.set("page", parsed.data.page_after);
  }
  return { failed: invalidReply("wrong-page", context) };
}

/** The cardholders that a round asks about. */
function cardholdersOf(round: RfiRound | undefined): Set<string> {
  const sources = (round?.questions ?? []).flatMap((question) => question.sources);
  return new Set(sources.flatMap(({ id, type }) => (type === "CARDHOLDER" && id !== undefined ? [id] : [])));
}

/**
 * Finds the cardholders that an RFI is about; none for an RFI of another type or an unknown one.
 * @throws Failure as `CardProvider.findAsked`
 */
export async function findAsked(
  id: string,
  { client, context }: { client: Pick<AirwallexClient, "read">; context: CardContext },
): Promise<AskedSubmission[]> {
  const response = responseOf(
    await client.read("rfis", `${rfisPath}/${encodeURIComponent(id)}`, {}),
    context,
  );
  // A 404 without Airwallex's error body may come from a proxy.
  if (response.status === 404 && dataIn(response, errorAnswer)) return [];
  const { type, active_request, answered_requests } = bodyOf(response, rfi, context);
  if (type !== "CARDHOLDER") return [];
  const cardholders = [active_request, ...answered_requests].flatMap((round) => [...cardholdersOf(round)]);
  return [...new Set(cardholders)].map((cardholderId) => ({ step: "cardholder", id: cardholderId }));
}

type Question = RfiRound["questions"][number];

/** The document types of the files that answer the question of a key. */
const acceptedTypes: ReadonlyMap<string | undefined, string[]> = new Map([
  ["PROOF_OF_ADDRESS", ["ADDRESS_PROOF", "UTILITY_BILL", "BANK_STATEMENT", "TENANCY_AGREEMENT"]],
  ["ID_COPY", ["DOCUMENT_FRONT", "DOCUMENT_BACK"]],
]);

/** Our id of a round, which its answered questions keep, and of a question in it. A question can be asked again. */
const roundId = (rfiId: string, { created_at }: RfiRound) => `${rfiId}/${created_at}`;
export const requestId = (round: string, { id }: Question) => `${round}/${id}`;

/** The round that waits for answers, if it is the one of this id. */
export function openRound({ id, status, active_request }: Rfi, round: string): RfiRound | undefined {
  const isAsked = status === "ACTION_REQUIRED" && active_request && roundId(id, active_request) === round;
  return isAsked ? active_request : undefined;
}

/**
 * The document requests of an RFI about a cardholder, those of the latest round first. No file answers a question of an
 * unknown key or source, or a round that asks about other cardholders too: an operator does, in Airwallex's web app.
 */
function toRequests(one: Rfi, cardholderId: string): ProviderDocumentRequest[] {
  const { id, status, active_request, answered_requests } = one;
  const rounds = [...(active_request ? [active_request] : []), ...answered_requests.toReversed()];
  return rounds.flatMap((round) => {
    const cardholders = cardholdersOf(round);
    if (!cardholders.has(cardholderId)) return [];
    const together = roundId(id, round);
    const state = status === "CLOSED" ? "closed" : openRound(one, together) ? "open" : "answered";
    const isOurs = ({ sources }: Question) => sources.length > 0 && sources.every(isSource);
    const isSource = (source: Question["sources"][number]) =>
      source.type === "CARDHOLDER" && source.id === cardholderId;
    const isShown = ({ sources }: Question) =>
      sources.every((one) => one.type !== "CARDHOLDER" || isSource(one));
    return round.questions.filter(isShown).map((question) => ({
      id: requestId(together, question),
      documentType: typeOf(question),
      accepts: cardholders.size === 1 && isOurs(question) ? acceptedFor(question) : [],
      reason: null,
      requestedAt: new Date(round.created_at).toISOString(),
      dueAt: round.expires_at === undefined ? null : new Date(round.expires_at).toISOString(),
      status: state,
      revision: revisionOf(round, state),
      together,
    }));
  });
}

/** Only two types of answers are files. */
function acceptedFor({ key, answer }: Question): string[] {
  const isFile = answer?.type === "ATTACHMENT" || answer?.type === "IDENTITY_DOCUMENT";
  return (isFile && acceptedTypes.get(key)) || [];
}

/** Airwallex's key is passed on, but for a proof of address, which the interface names. */
function typeOf({ key, answer }: Question): string {
  if (key === "PROOF_OF_ADDRESS") return "ADDRESS_PROOF";
  const { documentType } = providerDocumentRequest.shape;
  return [key, answer?.type].find((text) => documentType.safeParse(text).success) ?? "OTHER";
}

/** Times have seconds, and the states of one second have an order. */
function revisionOf({ updated_at, created_at }: RfiRound, state: ProviderDocumentRequest["status"]): number {
  const seconds = Math.floor((updated_at ?? created_at) / 1_000);
  return seconds * 4 + { open: 1, answered: 2, closed: 3 }[state];
}
