import type { CardProvider, KycRecords, WebhookDeliveries, WebhookSender } from "@cardbridge/domain";
import type { Moment } from "@cardbridge/store";

/** Test variants of the service's parts. The fault suite wraps the ports that it breaks. */
export interface Variants {
  kycRecords?(records: KycRecords): KycRecords;
  provider?(provider: CardProvider): CardProvider;
  webhookDeliveries?(deliveries: WebhookDeliveries): WebhookDeliveries;
  webhookSender?(sender: WebhookSender): WebhookSender;
  /** Runs at each moment of every transaction. */
  moment?(moment: Moment): Promise<void>;
  /** The worker's polling interval for due records, in milliseconds. */
  settleIntervalMs?: number;
}
