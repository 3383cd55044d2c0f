-- Each row keeps the trace of the transaction that inserted it, so that later attempts continue it. Without a trace, the
-- setting is absent, or empty after an earlier transaction of the connection.
ALTER TABLE "kyc_records" ADD COLUMN "traceparent" text DEFAULT nullif(current_setting('cardbridge.traceparent', true), '');--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "traceparent" text DEFAULT nullif(current_setting('cardbridge.traceparent', true), '');