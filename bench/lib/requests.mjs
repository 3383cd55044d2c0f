import { memberId } from "./members.mjs";
import { submissions } from "./submissions.mjs";

/* What is asked: each makes a function whose every call gives the next request, as undici takes it. */

const query = (number) => encodeURIComponent(JSON.stringify({ memberId: memberId(number), pageSize: 20 }));

/** Lists of the members in turn: of a thousand at most, evenly from all. */
function inTurn({ key, memberCount }, pathOf) {
  const asked = Math.min(memberCount, 1_000);
  const headers = { authorization: `Bearer ${key}` };
  const requests = Array.from({ length: asked }, (_, index) => {
    const number = 1 + Math.floor((index * memberCount) / asked);
    return { method: "GET", path: pathOf(number), headers };
  });
  let made = 0;
  return () => requests[made++ % asked];
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
export const submits = (world) => newcomers(world, "/openapi/v1/users/kyc");
export const submitMutations = (world) => newcomers(world, "/trpc/kyc.submit");
