import { startTestService } from "@cardbridge/api/testing";
import { TRPCClientError } from "@trpc/client";
import * as newest from "trpc-client-newest";
import * as oldest from "trpc-client-oldest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { problemOf, responseInfo } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";

/* An app may have several copies of @trpc/client: its own, and that of a dependency which pins a version. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const server = () => ({
  url: `${service.url}/trpc`,
  headers: { authorization: `Bearer ${service.caller().key}` },
});
const copies = {
  oldest: () => oldest.createTRPCUntypedClient({ links: [oldest.httpLink(server())] }),
  newest: () => newest.createTRPCUntypedClient({ links: [newest.httpLink(server())] }),
};

it.each(["oldest", "newest"] as const)(
  "reads the errors of another copy of @trpc/client: the %s",
  async (name) => {
    const error = await errorOf(copies[name]().query("cards.list", { memberId: "nobody" }));
    expect(error).not.toBeInstanceOf(TRPCClientError);
    expect(problemOf(error)).toMatchObject({ code: "USER_NOT_FOUND", success: false });
    expect(responseInfo(error)).toEqual({ requestId: problemOf(error)?.requestId, replayed: false });
  },
);

it("finds no problem in any other value", () => {
  const errors = [
    { data: null },
    { data: { problem: null } },
    { data: { problem: {} } },
    new Error("elsewhere"),
  ];
  for (const value of [undefined, null, "KYC_REFUSED", ...errors]) expect(problemOf(value)).toBeUndefined();
});
