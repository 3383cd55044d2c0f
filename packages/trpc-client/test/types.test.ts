import type { AppRouter as ServiceRouter } from "@cardbridge/api/router";
import type { newSubmission } from "@cardbridge/api/testing";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { describe, expectTypeOf, it } from "vitest";
import type {
  ApiKey,
  AppRouter,
  Card,
  Client,
  KycResult,
  RecordChangeEvent,
  RouterInputs,
  RouterOutputs,
} from "../src/index.ts";

interface Subscriptions {
  kyc: { changes: unknown };
  records: { changes: unknown };
}

/** The outputs of queries and mutations. */
type Results<Outputs extends Subscriptions> = Omit<Outputs, "kyc" | "records"> & {
  kyc: Omit<Outputs["kyc"], "changes">;
  records: Omit<Outputs["records"], "changes">;
};

/** The events of a subscription. */
type Events<Outputs extends Subscriptions, Noun extends keyof Subscriptions = "kyc"> =
  Outputs[Noun]["changes"] extends AsyncIterable<infer Event> ? Event : never;

/** An input that may be absent. */
type Given<Input> = Extract<Input, object>;

describe("types", () => {
  it("match the types of the service's router", () => {
    type Service = inferRouterOutputs<ServiceRouter>;
    expectTypeOf<Results<RouterOutputs>>().toEqualTypeOf<Results<Service>>();
    expectTypeOf<Events<RouterOutputs>>().toExtend<Events<Service>>();
    expectTypeOf<Events<Service>>().toExtend<Events<RouterOutputs>>();
    expectTypeOf<Events<RouterOutputs>["id"]>().toEqualTypeOf<string>();
    expectTypeOf<Events<RouterOutputs, "records">>().toExtend<Events<Service, "records">>();
    expectTypeOf<Events<Service, "records">>().toExtend<Events<RouterOutputs, "records">>();
    expectTypeOf<RouterInputs>().toExtend<inferRouterInputs<ServiceRouter>>();
    expectTypeOf<inferRouterInputs<ServiceRouter>>().toExtend<RouterInputs>();
  });

  it("are exported by name", () => {
    expectTypeOf<RouterOutputs["cards"]["list"]["items"][number]>().toEqualTypeOf<Card>();
    expectTypeOf<RouterOutputs["kyc"]["submit"]>().toEqualTypeOf<KycResult>();
    expectTypeOf<ApiKey["state"]>().toEqualTypeOf<"live" | "expired" | "revoked">();
    expectTypeOf<AppRouter>().toHaveProperty("cards");
  });

  it("need no input whose fields are all optional", () => {
    expectTypeOf<Client["platforms"]["list"]["query"]>().toBeCallableWith();
    expectTypeOf<Client["encryptionKeys"]["rewrap"]["mutate"]>().toBeCallableWith();
    expectTypeOf<Client["kyc"]["changes"]["subscribe"]>().toBeCallableWith(undefined, { onData() {} });
    expectTypeOf<Parameters<Client["cards"]["list"]["query"]>["length"]>().toEqualTypeOf<1 | 2>();
  });

  it("name the platform in inputs about one platform's data, and in no others", () => {
    type Named = { platformId?: string | undefined };
    expectTypeOf<RouterInputs["cards"]["list"]>().toExtend<Named>();
    expectTypeOf<Given<RouterInputs["kyc"]["changes"]>["platformId"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<{ platformId: string }>().toExtend<RouterInputs["webhooks"]["list"]>();
    expectTypeOf<Given<RouterInputs["records"]["changes"]>>().not.toHaveProperty("platformId");
    expectTypeOf<Given<RouterInputs["records"]["search"]>>().not.toHaveProperty("platformId");
    expectTypeOf<Given<RouterInputs["records"]["search"]>>().toHaveProperty("cursor");
  });

  it("distinguish the events of a subscription", () => {
    expectTypeOf<RecordChangeEvent["data"]["type"]>().toEqualTypeOf<
      "record.changed" | "subscription.started"
    >();
    type Changed = Extract<RecordChangeEvent["data"], { type: "record.changed" }>;
    expectTypeOf<Changed["data"]["kycRecordId"]>().toEqualTypeOf<string>();
  });

  it("take a person for each call, and for subscriptions", () => {
    type Query = Parameters<Client["records"]["search"]["query"]>[1];
    expectTypeOf<{ context: { person: string } }>().toExtend<Query>();
    expectTypeOf<{ context: { person: () => Promise<string> } }>().toExtend<Query>();
    expectTypeOf<{ context: { person: number } }>().not.toExtend<Query>();
    type Follow = Parameters<Client["records"]["changes"]["subscribe"]>[1];
    expectTypeOf<{ onData(): void; context: { person: () => string } }>().toExtend<Follow>();
  });

  it("require exactly one identifier", () => {
    type List = RouterInputs["cards"]["list"];
    expectTypeOf<{ email: string }>().toExtend<List>();
    expectTypeOf<{ memberId: string; page: number; status: string }>().toExtend<List>();
    expectTypeOf<{ page: number }>().not.toExtend<List>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<List>();
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
    type Both = Undated & { documentExpiryDate: string; documentPermanentlyValid: true };
    expectTypeOf<Both>().not.toExtend<Submission>();
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
