import { errors, Pool } from "undici";
import { sign } from "../lib/contract.mjs";
import { Problem } from "./problem.mjs";
import { providerPage, refusal, state } from "./schemas.mjs";
import { compileAnswer } from "./validators.mjs";

const timeouts = { headersTimeout: 10_000, bodyTimeout: 10_000 };
const pool = new Pool(process.env.PROVIDER_URL, { connections: 64, ...timeouts });
const isPage = compileAnswer(providerPage);
const isState = compileAnswer(state);
const isRefusal = compileAnswer(refusal);

async function call(request) {
  const { statusCode, body } = await pool.request(request);
  return { status: statusCode, answer: await body.json() };
}

/** A page of a user's cards. */
export async function cards(userReference, { status: cardStatus, page, pageSize }) {
  const parameters = new URLSearchParams({ userReference, page: String(page), pageSize: String(pageSize) });
  if (cardStatus !== undefined) parameters.set("status", cardStatus);
  parameters.set("sort", "-createdAt,cardId");
  const query = parameters.toString();
  const headers = sign("GET", "/v1/cards", query);
  const { status, answer } = await call({ method: "GET", path: `/v1/cards?${query}`, headers }).catch(fail);
  if (status === 404) return { items: [], total: 0 };
  if (status >= 500 || [401, 403, 429].includes(status)) throw new Problem(503, "PROVIDER_UNAVAILABLE");
  const isAbout = (one) => one.userReference === userReference;
  const isAnswer = status === 200 && isPage(answer) && isAbout(answer) && answer.items.every(isAbout);
  if (!isAnswer || answer.page !== page || answer.pageSize !== pageSize)
    throw new Problem(502, "PROVIDER_ANSWER_INVALID");
  return answer;
}

function fail(error) {
  if (error instanceof SyntaxError) throw new Problem(502, "PROVIDER_ANSWER_INVALID");
  const late = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  throw late ? new Problem(504, "PROVIDER_TIMEOUT") : new Problem(503, "PROVIDER_UNAVAILABLE");
}

const statuses = {
  not_submitted: "PENDING",
  pending_approval: "PENDING_APPROVAL",
  approved: "APPROVED",
  rejected: "REJECTED",
};

/** Never throws: without a valid response about the submission, it stays unresolved. */
export async function submit({ kycRecordId: reference, externalUserId }, submission) {
  const path = `/v1/kyc/${reference}`;
  const body = JSON.stringify(toBody(submission, externalUserId));
  const headers = { ...sign("PUT", path, "", body), "content-type": "application/json" };
  const { status, answer } = await call({ method: "PUT", path, headers, body }).catch(() => ({}));
  if (status === 200 && isState(answer) && answer.reference === reference) {
    const { status: subStatus, cardAccountId } = answer;
    return { resolution: "answered", status: statuses[subStatus] ?? null, subStatus, cardAccountId };
  }
  if (status === 422 && isRefusal(answer) && answer.reference === reference)
    return { resolution: "refused", status: null, subStatus: null, cardAccountId: null };
  return { resolution: "unresolved" };
}

/** Omits the member id, which the provider must not receive. */
function toBody(submission, userReference) {
  return {
    userReference,
    applicant: {
      email: submission.email,
      fullName: submission.name,
      birthDate: submission.birthday,
      gender: submission.gender,
      nationality: submission.nationality,
      phone: { countryCode: submission.phoneCountryCode, number: submission.phoneNumber },
      address: submission.contactAddress,
      annualIncome: submission.annualIncome,
      occupation: submission.occupation,
      position: submission.position,
    },
    document: {
      type: submission.documentType,
      number: submission.documentNumber,
      country: submission.documentCountry,
      expiryDate: submission.documentExpiryDate ?? null,
      permanentlyValid: submission.documentPermanentlyValid ?? false,
      frontImageUrl: submission.frontImageUrl,
      backImageUrl: submission.backImageUrl ?? null,
      selfieImageUrl: submission.selfieImageUrl,
    },
    supportingDocuments: submission.supportingDocuments ?? [],
  };
}
