ALTER TABLE "kyc_history" ADD COLUMN "explanation" jsonb;--> statement-breakpoint
ALTER TABLE "kyc_history" ADD COLUMN "restricted_reasons" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "kyc_records" ADD COLUMN "explanation" jsonb;--> statement-breakpoint
GRANT UPDATE (explanation) ON kyc_records TO cardbridge_service;--> statement-breakpoint

-- What only compliance may know: the service inserts restricted_reasons and cannot read it. A superuser can.
REVOKE SELECT ON kyc_history FROM cardbridge_service;--> statement-breakpoint
GRANT SELECT (
    id, platform_id, record_id, source, settlement, status, sub_status, card_account_id, revision, observed_at,
    explanation
  ) ON kyc_history TO cardbridge_service;
