CREATE TABLE "idempotency_keys" (
	"platform_id" text NOT NULL,
	"operation" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"record_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_platform_id_operation_key_hash_pk" PRIMARY KEY("platform_id","operation","key_hash")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE POLICY "of_platform" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO public USING ("idempotency_keys"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_forgets_keys" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'forget_keys');