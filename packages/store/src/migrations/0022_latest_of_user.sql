DROP INDEX "kyc_records_latest";--> statement-breakpoint
CREATE INDEX "kyc_records_latest" ON "kyc_records" USING btree ("user_id","created_at" desc);