import { memberId } from "./members.mjs";
import { submissions } from "./submissions.mjs";

/* What is asked: each makes a function whose every call gives the next request, as undici takes it. */

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

/** A submission of somebody new each time. */
function newcomers({ key }, path) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const next = submissions();
  return () => ({ method: "POST", path, headers, body: next() });
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
