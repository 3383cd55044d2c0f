import { randomBytes } from "node:crypto";

/* What is asked: each makes a function whose every call gives the next request, as undici takes it. */

/** The name of member `number`, from 1. */
export const memberId = (number) => `member-${number}`;
const listInput = (number) => ({ memberId: memberId(number), pageSize: 20 });
const query = (number) => encodeURIComponent(JSON.stringify(listInput(number)));

/** A prime: the members come from all over the table, each once before one comes again. */
const stride = 7_919;

/** Lists of the members in turn. */
function inTurn({ key, memberCount }, pathOf) {
  const headers = { authorization: `Bearer ${key}` };
  let made = 0;
  return () => ({ method: "GET", path: pathOf(1 + ((made++ * stride) % memberCount)), headers });
}

const submission = {
  name: "Bench Mark",
  birthday: "1990-01-31",
  gender: "female",
  nationality: "HK",
  documentType: "passport",
  documentNumber: "E1234567",
  documentCountry: "HK",
  documentExpiryDate: "2034-05-01",
  frontImageUrl: "https://files.example.com/front.jpg",
  selfieImageUrl: "https://files.example.com/selfie.jpg",
  phoneCountryCode: "+852",
  phoneNumber: "81234567",
  annualIncome: "20000-50000",
  occupation: "Engineer",
  position: "Staff engineer",
  contactAddress: "1 Example Street, Hong Kong",
};

/** A submission of somebody new each time. */
function newcomers({ key }, path) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const run = randomBytes(4).toString("hex");
  let made = 0;
  return () => {
    made += 1;
    const memberId = `new-${run}-${made}`;
    const body = JSON.stringify({ ...submission, memberId, email: `${memberId}@example.com` });
    return { method: "POST", path, headers, body };
  };
}

export const lists = (world, page = 1) =>
  inTurn(world, (number) => `/openapi/v1/cards/list?memberId=${memberId(number)}&page=${page}&pageSize=20`);
export const listQueries = (world) => inTurn(world, (number) => `/trpc/cards.list?input=${query(number)}`);
/** So many lists in one request each time. */
export function listBatches({ key, memberCount }, calls) {
  const headers = { authorization: `Bearer ${key}` };
  const path = Array.from({ length: calls }, () => "cards.list").join();
  let made = 0;
  return () => {
    const inputs = Array.from({ length: calls }, () => listInput(1 + ((made++ * stride) % memberCount)));
    return {
      method: "GET",
      path: `/trpc/${path}?batch=1&input=${encodeURIComponent(JSON.stringify({ ...inputs }))}`,
      headers,
    };
  };
}
export const submits = (world) => newcomers(world, "/openapi/v1/users/kyc");
export const submitMutations = (world) => newcomers(world, "/trpc/kyc.submit");
