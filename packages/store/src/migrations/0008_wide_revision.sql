ALTER TABLE "kyc_history" ALTER COLUMN "revision" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "kyc_records" ALTER COLUMN "revision" SET DATA TYPE bigint;