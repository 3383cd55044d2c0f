import { type ErrorCode, Failure } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { errorMapping } from "../../../src/http/errors/mapping.ts";
import { renderError } from "../../../src/http/errors/render.ts";

const codes = Object.keys(errorMapping) as ErrorCode[];

function bodyOf(code: ErrorCode, method: string, path: string) {
  const { body } = renderError(new Failure(code), { requestId: "req_1", method, path });
  const parsed = JSON.parse(body);
  return parsed.error?.data.problem ?? parsed;
}

describe.each([
  ["POST", "/openapi/v1/users/kyc"],
  ["GET", "/openapi/v1/users/kyc/kyc_1"],
  ["POST", "/openapi/v1/users/kyc/validate"],
  ["POST", "/trpc/kyc.submit"],
  ["POST", "/trpc/cards.list,kyc.submit"],
  // The path of bytes that Node cannot parse is unknown.
  ["GET", ""],
])("%s %s", (method, path) => {
  it.each(codes)("has status null in the error %s", (code) => {
    expect(bodyOf(code, method, path)).toMatchObject({ code, status: null });
  });
});

it.each(codes)("other operations have no status in the error %s", (code) => {
  for (const path of ["/openapi/v1/cards/list", "/trpc/cards.list", "/openapi/v1/users/email"])
    expect(bodyOf(code, "GET", path)).not.toHaveProperty("status");
});
