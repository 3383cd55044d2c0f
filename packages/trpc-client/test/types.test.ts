import type { AppRouter as ServiceRouter } from "@cardbridge/api/router";
import type { newSubmission } from "@cardbridge/api/testing";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { describe, expectTypeOf, it } from "vitest";
import type {
  ApiKey,
  AppRouter,
  AuditEntry,
  Card,
  Client,
  KycChange,
  KycResult,
  Problem,
  RecordDetails,
  RouterInputs,
  RouterOutputs,
} from "../src/index.ts";

/** The outputs of queries and mutations. */
type Results<Outputs extends { kyc: { changes: unknown } }> = Omit<Outputs, "kyc"> & {
  kyc: Omit<Outputs["kyc"], "changes">;
};

/** The events of the subscription. */
type Events<Outputs extends { kyc: { changes: unknown } }> =
  Outputs["kyc"]["changes"] extends AsyncIterable<infer Event> ? Event : never;

describe("types", () => {
  it("match the types of the service's router", () => {
    type Service = inferRouterOutputs<ServiceRouter>;
    expectTypeOf<Results<RouterOutputs>>().toEqualTypeOf<Results<Service>>();
    expectTypeOf<Events<RouterOutputs>>().toExtend<Events<Service>>();
    expectTypeOf<Events<Service>>().toExtend<Events<RouterOutputs>>();
    expectTypeOf<Events<RouterOutputs>["id"]>().toEqualTypeOf<string>();
    expectTypeOf<RouterInputs>().toExtend<inferRouterInputs<ServiceRouter>>();
    expectTypeOf<inferRouterInputs<ServiceRouter>>().toExtend<RouterInputs>();
  });

  it("are exported by name", () => {
    expectTypeOf<RouterOutputs["cards"]["list"]["items"][number]>().toEqualTypeOf<Card>();
    expectTypeOf<RouterOutputs["kyc"]["submit"]>().toEqualTypeOf<KycResult>();
    expectTypeOf<KycChange["data"]["sequence"]>().toEqualTypeOf<number>();
    expectTypeOf<RecordDetails["history"][number]["observedAt"]>().toEqualTypeOf<string>();
    expectTypeOf<AuditEntry["operation"]>().toEqualTypeOf<string>();
    expectTypeOf<ApiKey["state"]>().toEqualTypeOf<"live" | "expired" | "revoked">();
    expectTypeOf<Problem["code"]>().toExtend<string>();
    expectTypeOf<AppRouter>().toHaveProperty("cards");
  });

  it("need no input whose fields are all optional", () => {
    expectTypeOf<Client["platforms"]["list"]["query"]>().toBeCallableWith();
    expectTypeOf<Client["kyc"]["listChanges"]["query"]>().toBeCallableWith();
    expectTypeOf<Client["encryptionKeys"]["rewrap"]["mutate"]>().toBeCallableWith();
    expectTypeOf<Client["kyc"]["changes"]["subscribe"]>().toBeCallableWith(undefined, { onData() {} });
    expectTypeOf<Parameters<Client["cards"]["list"]["query"]>["length"]>().toEqualTypeOf<1 | 2>();
    expectTypeOf<Parameters<Client["audit"]["list"]["query"]>["length"]>().toEqualTypeOf<1 | 2>();
  });

  it("require exactly one identifier", () => {
    type List = RouterInputs["cards"]["list"];
    expectTypeOf<{ email: string }>().toExtend<List>();
    expectTypeOf<{ memberId: string; page: number; status: string }>().toExtend<List>();
    expectTypeOf<{ page: number }>().not.toExtend<List>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<List>();
    type Get = RouterInputs["kyc"]["get"];
    expectTypeOf<{ memberId: string }>().toExtend<Get>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<Get>();
    type Show = RouterInputs["users"]["show"];
    expectTypeOf<{ platformId: string; externalUserId: string }>().toExtend<Show>();
    expectTypeOf<{ platformId: string; externalUserId: string; email: string }>().not.toExtend<Show>();
    expectTypeOf<{ platformId: string }>().not.toExtend<Show>();
  });

  it("require either an expiry date or permanent validity", () => {
    type Submission = RouterInputs["kyc"]["submit"];
    type Undated = Omit<ReturnType<typeof newSubmission>, "documentExpiryDate">;
    expectTypeOf<Undated & { documentExpiryDate: string }>().toExtend<Submission>();
    expectTypeOf<Undated & { documentPermanentlyValid: true }>().toExtend<Submission>();
    expectTypeOf<Undated>().not.toExtend<Submission>();
    expectTypeOf<Undated & { documentPermanentlyValid: false }>().not.toExtend<Submission>();
    expectTypeOf<
      Undated & { documentExpiryDate: string; documentPermanentlyValid: true }
    >().not.toExtend<Submission>();
  });

  it("list the known statuses and allow others", () => {
    type Known = "active" | "locked" | "lost" | "inactive" | (string & {});
    expectTypeOf<RouterInputs["cards"]["list"]["status"]>().toEqualTypeOf<Known | undefined>();
    expectTypeOf<Card["status"]>().toEqualTypeOf<Known>();
    type KnownSub = "not_submitted" | "pending_approval" | "approved" | "rejected" | (string & {});
    expectTypeOf<KycResult["subStatus"]>().toEqualTypeOf<KnownSub | null>();
    expectTypeOf<string>().toExtend<Card["status"]>();
  });
});
