import type { CardProvider, KycRecords, WebhookDeliveries, WebhookSender } from "@cardbridge/domain";
import type { FailPoint } from "@cardbridge/service/database";

/** Test overrides of the service's parts. The fault suite wraps the ports that it breaks. */
export interface TestOverrides {
  kycRecords?(records: KycRecords): KycRecords;
  provider?(provider: CardProvider): CardProvider;
  webhookDeliveries?(deliveries: WebhookDeliveries): WebhookDeliveries;
  webhookSender?(sender: WebhookSender): WebhookSender;
  /** Runs at each fail point of every transaction. */
  failPoint?(point: FailPoint): Promise<void>;
  /** The worker's polling interval for due records, in milliseconds. */
  resolveIntervalMs?: number;
}
