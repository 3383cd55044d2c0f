import type { CardProvider, KycRecords } from "@cardbridge/domain";
import type { TestOverrides } from "../../../../src/boot/compose.ts";

type TransactionFailPoint = Parameters<NonNullable<TestOverrides["failPoint"]>>[0];
type Place = "before" | TransactionFailPoint | "after";

const call = ["before", "after"] as const;
/** A call that is one transaction: `decided` and `committing` are its fail points (see the store). */
const transaction = ["before", "decided", "committing", "after"] as const satisfies readonly Place[];

/** The calls of WebhookDeliveries and WebhookSender, under names that no other port has. */
type WebhookCall = "leaseDeliveries" | "loadDelivery" | "sendDelivery" | "recordDelivery";

/** The calls of a submission and its resolution, with the points where each can fail. */
const places = {
  createOrReplay: transaction,
  leaseDue: call,
  loadAttempt: transaction,
  submitKyc: call,
  findKyc: call,
  answerRequest: call,
  storeVerdict: transaction,
  reschedule: transaction,
  recordProviderUpdate: transaction,
  leaseDeliveries: ["after"],
  loadDelivery: ["after"],
  sendDelivery: call,
  recordDelivery: ["decided", "committing", "after"],
} as const satisfies Partial<Record<keyof KycRecords | keyof CardProvider | WebhookCall, readonly Place[]>>;

/** The calls of a provider that takes two calls for a submission. */
const stepPlaces = {
  findStep: transaction,
  keepStep: transaction,
} as const satisfies Partial<Record<keyof KycRecords, readonly Place[]>>;

type Places = typeof places & typeof stepPlaces;
export type PortCall = keyof Places;

/** A point where a process can fail, such as `createOrReplay.committing`. */
export type ServiceFailPoint = { [C in PortCall]: `${C}.${Places[C][number]}` }[PortCall];

/** The call of a fail-point. */
export const portCallOf = (point: ServiceFailPoint) => point.split(".")[0] as PortCall;

export const isPortCall = (name: string): name is PortCall =>
  Object.hasOwn(places, name) || Object.hasOwn(stepPlaces, name);

const pointsOf = (calls: Partial<Record<PortCall, readonly Place[]>>) =>
  Object.entries(calls).flatMap(([call, placesOfCall]) =>
    placesOfCall.map((place) => `${call}.${place}` as ServiceFailPoint),
  );

/** Every fail-point, in the order in which a submission passes them. */
export const failPoints = pointsOf(places);

/** The fail-points of a submission's steps. Only the two-step provider reaches them. */
export const stepFailPoints = pointsOf(stepPlaces);
