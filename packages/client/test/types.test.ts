import type { Problem as ServiceProblem } from "@cardbridge/api/problem";
import type { WebhookPayload } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/service";
import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type {
  Card,
  CardId,
  CardListQuery,
  CardPage,
  Client,
  DocumentRequest,
  DocumentRequestAnswer,
  EmailChange,
  FileUpload,
  KycDraft,
  KycHistory,
  KycLookup,
  KycReading,
  KycRecordId,
  KycRequirements,
  KycRequirementsQuery,
  KycResult,
  KycSubmission,
  KycValidation,
  Problem,
  SandboxAct,
  SandboxActResult,
  UploadedFile,
  UserId,
  WebhookDeliveryListQuery,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookEvent,
} from "../src/index.ts";

type Input<O> = O extends Operation<infer I, infer _> ? z.input<I> : never;
type Output<O> = O extends Operation<infer _, infer Out> ? z.output<Out> : never;

describe("types", () => {
  it("accept the inputs of the operations", () => {
    expectTypeOf<CardListQuery>().toExtend<Input<Operations["cards"]["list"]>>();
    expectTypeOf<Input<Operations["cards"]["list"]>>().toExtend<CardListQuery>();
    expectTypeOf<CardId>().toEqualTypeOf<Input<Operations["cards"]["get"]>>();
    expectTypeOf<KycSubmission>().toExtend<Input<Operations["kyc"]["submit"]>>();
    expectTypeOf<Input<Operations["kyc"]["submit"]>>().toExtend<KycSubmission>();
    expectTypeOf<KycDraft>().toEqualTypeOf<Input<Operations["kyc"]["validate"]>>();
    expectTypeOf<KycRequirementsQuery>().toEqualTypeOf<Input<Operations["kyc"]["requirements"]>>();
    expectTypeOf<KycLookup>().toExtend<Input<Operations["kyc"]["get"]>>();
    expectTypeOf<Input<Operations["kyc"]["get"]>>().toExtend<KycLookup>();
    expectTypeOf<KycRecordId>().toEqualTypeOf<Input<Operations["kyc"]["history"]>>();
    expectTypeOf<DocumentRequestAnswer>().toEqualTypeOf<Input<Operations["kyc"]["answerRequest"]>>();
    expectTypeOf<EmailChange>().toEqualTypeOf<Input<Operations["users"]["changeEmail"]>>();
    expectTypeOf<SandboxAct>().toEqualTypeOf<Input<Operations["sandbox"]["act"]>>();
    expectTypeOf<WebhookEndpointChange>().toEqualTypeOf<Input<Operations["webhooks"]["update"]>>();
    expectTypeOf<WebhookDeliveryListQuery>().toEqualTypeOf<Input<Operations["webhooks"]["deliveries"]>>();
    expectTypeOf<FileUpload["purpose"]>().toEqualTypeOf<Input<Operations["files"]["upload"]>["purpose"]>();
  });

  it("return the outputs of the operations", () => {
    expectTypeOf<CardPage>().toEqualTypeOf<Output<Operations["cards"]["list"]>>();
    expectTypeOf<Card>().toEqualTypeOf<Output<Operations["cards"]["get"]>>();
    expectTypeOf<UserId>().toEqualTypeOf<Output<Operations["users"]["changeEmail"]>>();
    expectTypeOf<Output<Operations["webhooks"]["create"]>>().toExtend<WebhookEndpointWithSecret>();
    expectTypeOf<SandboxActResult>().toEqualTypeOf<Output<Operations["sandbox"]["act"]>>();
    expectTypeOf<UploadedFile>().toEqualTypeOf<Output<Operations["files"]["upload"]>>();
    type Without<T> = Omit<T, "code" | "reasons" | "history" | "requests" | "errors">;
    expectTypeOf<Without<KycResult>>().toEqualTypeOf<Without<Output<Operations["kyc"]["submit"]>>>();
    expectTypeOf<Output<Operations["kyc"]["submit"]>>().toExtend<KycResult>();
    expectTypeOf<Without<KycValidation>>().toEqualTypeOf<Without<Output<Operations["kyc"]["validate"]>>>();
    expectTypeOf<Output<Operations["kyc"]["validate"]>>().toExtend<KycValidation>();
    expectTypeOf<KycRequirements>().toEqualTypeOf<Output<Operations["kyc"]["requirements"]>>();
    expectTypeOf<Output<Operations["kyc"]["get"]>>().toExtend<KycResult>();
    expectTypeOf<Without<KycHistory>>().toEqualTypeOf<Without<Output<Operations["kyc"]["history"]>>>();
    expectTypeOf<Output<Operations["kyc"]["history"]>>().toExtend<KycHistory>();
    expectTypeOf<KycHistory["requests"][number]>().toEqualTypeOf<DocumentRequest>();
    expectTypeOf<KycReading["requests"][number]>().toEqualTypeOf<DocumentRequest>();
    expectTypeOf<Output<Operations["kyc"]["answerRequest"]>>().toExtend<DocumentRequest>();
    expectTypeOf<Without<Problem>>().toEqualTypeOf<Without<ServiceProblem>>();
    expectTypeOf<ServiceProblem>().toExtend<Problem>();
  });

  it("allow new codes and raw values, and list the known values", () => {
    type Known<T> = T extends string ? (string extends T ? never : T) : never;
    expectTypeOf<string>().toExtend<KycResult["code"]>();
    expectTypeOf<string>().toExtend<Problem["code"]>();
    expectTypeOf<string>().toExtend<Card["status"]>();
    expectTypeOf<"KYC_ACCEPTED">().toExtend<Known<KycResult["code"]>>();
    expectTypeOf<"DOCUMENT_UNREADABLE">().toExtend<NonNullable<KycResult["reasons"]>[number]["code"]>();
  });

  it("match the events that the service sends", () => {
    type Data<Event extends { type: string }, Type> =
      Extract<Event, { type: Type }> extends { data: infer D } ? D : never;
    expectTypeOf<WebhookPayload["type"]>().toExtend<WebhookEvent["type"]>();
    type Sent = Data<WebhookPayload, "kyc.updated">;
    type Received = Data<WebhookEvent, "kyc.updated">;
    expectTypeOf<Sent>().toExtend<Received>();
    expectTypeOf<Omit<Received, "code" | "reasons">>().toEqualTypeOf<Omit<Sent, "code" | "reasons">>();
    expectTypeOf<string>().toExtend<Received["code"] & Received["reasons"][number]>();
    type Asked = "kyc.request_updated";
    expectTypeOf<Data<WebhookEvent, Asked>>().toEqualTypeOf<Data<WebhookPayload, Asked>>();
    type Expiring = "kyc.document_expiring";
    expectTypeOf<Data<WebhookEvent, Expiring>>().toEqualTypeOf<Data<WebhookPayload, Expiring>>();
    type Expired = "kyc.document_expired";
    expectTypeOf<Data<WebhookEvent, Expired>>().toEqualTypeOf<Data<WebhookPayload, Expired>>();
    expectTypeOf<Data<WebhookEvent, Expired>["documentExpiry"]>().toEqualTypeOf<"expired">();
    expectTypeOf<Data<WebhookEvent, "card.updated">>().toEqualTypeOf<Data<WebhookPayload, "card.updated">>();
    expectTypeOf<Data<WebhookEvent, "webhook.test">>().toEqualTypeOf<Data<WebhookPayload, "webhook.test">>();
  });

  it("require exactly one identifier", () => {
    type List = Parameters<Client["cards"]["list"]>[0];
    type All = Parameters<Client["cards"]["listAll"]>[0];
    expectTypeOf<{ email: string }>().toExtend<List & All>();
    expectTypeOf<{ memberId: string; status: string }>().toExtend<List & All>();
    expectTypeOf<{ pageSize: number }>().not.toExtend<List>();
    expectTypeOf<{ pageSize: number }>().not.toExtend<All>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<All>();
    expectTypeOf<{ email: string; page: number }>().not.toExtend<All>();
  });
});
