/**
 * Programs with generated clients: the whole flow of one person, from the requirements to the card. The clients' types
 * check the calls. `BASE_URL` stands for the service's address where the generated code has none.
 */
const withHeyApi = `
import { cardsGet, cardsList, filesUpload, kycRequirements, kycSubmit, kycValidate } from "./hey-api";
import { webhooksCreate, webhooksDelete, webhooksTest, webhooksUpdate } from "./hey-api";
import type { KycSubmission, UploadFileInput } from "./hey-api";
import { client } from "./hey-api/client.gen";

export async function onboard(key: string, person: KycSubmission, images: Record<string, Blob>, platform?: string) {
  client.setConfig({ auth: () => key });
  const headers = platform === undefined ? {} : { "X-Cardbridge-Platform": platform };
  const call = { headers, throwOnError: true } as const;
  const upload = async (purpose: UploadFileInput["purpose"]) =>
    (await filesUpload({ ...call, body: { purpose, file: images[purpose] } })).data.url;
  const fileUrl = await upload("supporting_document");
  const body: KycSubmission = { ...person, supportingDocuments: [{ documentType: "ADDRESS_PROOF", fileUrl }] };
  const { fields } = (await kycRequirements({ ...call, query: { documentType: person.documentType } })).data;
  for (const { name, presence, filePurpose } of fields) {
    if (filePurpose && presence === "required") Object.assign(body, { [name]: await upload(filePurpose) });
  }
  const { valid } = (await kycValidate({ ...call, body })).data;
  const first = { ...headers, "Idempotency-Key": crypto.randomUUID() };
  const refused = (await kycSubmit({ headers: first, body })).error;
  body.frontImageUrl = await upload("document_front");
  const second = { ...headers, "Idempotency-Key": crypto.randomUUID() };
  const { status } = (await kycSubmit({ ...call, headers: second, body })).data;
  const { items } = (await cardsList({ ...call, query: { memberId: person.memberId, pageSize: 1 } })).data;
  const card = (await cardsGet({ ...call, path: { cardId: items[0].cardId } })).data;
  return { valid, code: refused?.code, reason: refused?.errors[0], status, items, card };
}

export async function webhook(key: string, url: string) {
  client.setConfig({ auth: () => key });
  const call = { throwOnError: true } as const;
  const { endpointId } = (await webhooksCreate({ ...call, body: { url, eventTypes: ["kyc.updated"] } })).data;
  const path = { endpointId };
  const { type } = (await webhooksTest({ ...call, path })).data;
  const { enabled } = (await webhooksUpdate({ ...call, path, body: { enabled: false } })).data;
  const deleted = (await webhooksDelete({ ...call, path })).data;
  return { type, enabled, isDeleted: deleted.endpointId === endpointId };
}
`;

const withOpenapiFetch = `
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript";

type Schemas = components["schemas"];
type Submission = Schemas["KycSubmission"];

export async function onboard(key: string, person: Submission, images: Record<string, Blob>, platform?: string) {
  const client = createClient<paths>({ baseUrl: "BASE_URL", headers: { Authorization: "Bearer " + key } });
  const header = platform === undefined ? {} : { "X-Cardbridge-Platform": platform };
  const upload = async (purpose: Schemas["UploadFileInput"]["purpose"]) => {
    const form = new FormData();
    form.set("purpose", purpose);
    form.set("file", images[purpose]);
    const body = { purpose, file: "" };
    const { data } = await client.POST("/openapi/v1/files", { params: { header }, body, bodySerializer: () => form });
    return data!.url;
  };
  const fileUrl = await upload("supporting_document");
  const body: Submission = { ...person, supportingDocuments: [{ documentType: "ADDRESS_PROOF", fileUrl }] };
  const { data: requirements } = await client.GET("/openapi/v1/users/kyc/requirements", {
    params: { query: { documentType: person.documentType }, header },
  });
  for (const { name, presence, filePurpose } of requirements!.fields) {
    if (filePurpose && presence === "required") Object.assign(body, { [name]: await upload(filePurpose) });
  }
  const { data: validation } = await client.POST("/openapi/v1/users/kyc/validate", { params: { header }, body });
  const submit = () =>
    client.POST("/openapi/v1/users/kyc", {
      params: { header: { ...header, "Idempotency-Key": crypto.randomUUID() } },
      body,
    });
  const { error: refused } = await submit();
  body.frontImageUrl = await upload("document_front");
  const { data: result } = await submit();
  const query = { memberId: person.memberId, pageSize: 1 };
  const { data: page } = await client.GET("/openapi/v1/cards/list", { params: { query, header } });
  const { data: card } = await client.GET("/openapi/v1/cards/{cardId}", {
    params: { path: { cardId: page!.items[0].cardId }, header },
  });
  const reason = refused?.errors[0];
  return { valid: validation?.valid, code: refused?.code, reason, status: result?.status, items: page!.items, card };
}
`;

const withOrval = `
import { cardsGet, cardsList, filesUpload, kycRequirements, kycSubmit, kycValidate } from "./orval";
import type { KycSubmission, UploadFileInput } from "./orval";

export async function onboard(key: string, person: KycSubmission, images: Record<string, Blob>, platform?: string) {
  const headers: Record<string, string> = { Authorization: "Bearer " + key };
  if (platform !== undefined) headers["X-Cardbridge-Platform"] = platform;
  const upload = async (purpose: UploadFileInput["purpose"]) => {
    const response = await filesUpload({ purpose, file: images[purpose] }, { headers });
    if (response.status !== 201) throw new Error(response.data.code);
    return response.data.url;
  };
  const fileUrl = await upload("supporting_document");
  const body: KycSubmission = { ...person, supportingDocuments: [{ documentType: "ADDRESS_PROOF", fileUrl }] };
  const requirements = await kycRequirements({ documentType: person.documentType }, { headers });
  if (requirements.status !== 200) throw new Error(requirements.data.code);
  for (const { name, presence, filePurpose } of requirements.data.fields) {
    if (filePurpose && presence === "required") Object.assign(body, { [name]: await upload(filePurpose) });
  }
  const validation = await kycValidate(body, { headers });
  if (validation.status !== 200) throw new Error(validation.data.code);
  const refused = await kycSubmit(body, { headers: { ...headers, "Idempotency-Key": crypto.randomUUID() } });
  if (refused.status !== 422) throw new Error(refused.data.code);
  body.frontImageUrl = await upload("document_front");
  const result = await kycSubmit(body, { headers: { ...headers, "Idempotency-Key": crypto.randomUUID() } });
  if (result.status !== 200) throw new Error(result.data.code);
  const page = await cardsList({ memberId: person.memberId, pageSize: 1 }, { headers });
  if (page.status !== 200) throw new Error(page.data.code);
  const { data: card } = await cardsGet(page.data.items[0].cardId, { headers });
  const { code, errors } = refused.data;
  return { valid: validation.data.valid, code, reason: errors[0], status: result.data.status, items: page.data.items, card };
}
`;

/** The types that openapi-typescript generates, under the names that the others give them. */
const ofSchemas = `
import type { components } from "./openapi-typescript";
type KycResult = components["schemas"]["KycResult"];
type Problem = components["schemas"]["Problem"];
`;

/** By the name of a client: its program, and the start of a program with the types of a result and of an error. */
export const clientPrograms = {
  "hey-api": { program: withHeyApi, types: 'import type { KycResult, Problem } from "./hey-api";' },
  "openapi-fetch": { program: withOpenapiFetch, types: ofSchemas },
  orval: { program: withOrval, types: 'import type { KycResult, Problem } from "./orval";' },
};
export type ClientName = keyof typeof clientPrograms;
