import { randomBytes } from "node:crypto";

/* Each function returns a function whose calls return the next request, in the format of undici. */

/** The memberId of member `number`, starting at 1. */
export const memberId = (number) => `member-${number}`;
const listInput = (number) => ({ memberId: memberId(number), pageSize: 20 });
const query = (number) => encodeURIComponent(JSON.stringify(listInput(number)));

/** A prime: the members are spread over the whole table, and none is repeated before all have been used. */
const stride = 7_919;

/** Lists of the members in rotation. */
function inRotation({ key, memberCount }, pathOf) {
  const headers = { authorization: `Bearer ${key}` };
  let made = 0;
  return () => ({ method: "GET", path: pathOf(1 + ((made++ * stride) % memberCount)), headers });
}

export const submission = {
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

/** Submissions of a new user each; `more` returns further headers for the member. */
function newUsers({ key }, path, more = () => ({})) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const run = randomBytes(4).toString("hex");
  let made = 0;
  return () => {
    made += 1;
    const memberId = `new-${run}-${made}`;
    const body = JSON.stringify({ ...submission, memberId, email: `${memberId}@example.com` });
    return { method: "POST", path, headers: { ...headers, ...more(memberId) }, body };
  };
}

/** The next request of each caller in turn. */
export function inTurn(nexts) {
  let made = 0;
  return () => nexts[made++ % nexts.length]();
}

export const lists = (world, page = 1) =>
  inRotation(
    world,
    (number) => `/openapi/v1/cards/list?memberId=${memberId(number)}&page=${page}&pageSize=20`,
  );
export const listQueries = (world) =>
  inRotation(world, (number) => `/trpc/cards.list?input=${query(number)}`);
/** Requests with `calls` lists each. */
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
export const submits = (world) => newUsers(world, "/openapi/v1/users/kyc");
/** Submissions with an Idempotency-Key each, as the clients send them. */
export const keyedSubmits = (world) =>
  newUsers(world, "/openapi/v1/users/kyc", (memberId) => ({ "idempotency-key": memberId }));
export const submitMutations = (world) => newUsers(world, "/trpc/kyc.submit");
