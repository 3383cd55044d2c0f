CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL,
	"purpose" text NOT NULL,
	"content_type" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"blob_name" text NOT NULL,
	"data_key" "bytea",
	"key_version" integer,
	"user_id" text,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"stored_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "files_used_or_expiring" CHECK (expires_at is not null or (user_id is not null and data_key is not null))
);
--> statement-breakpoint
ALTER TABLE "files" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_platform_id_platforms_id_fk" FOREIGN KEY ("platform_id") REFERENCES "public"."platforms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user" FOREIGN KEY ("platform_id","user_id") REFERENCES "public"."users"("platform_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "files_unused" ON "files" USING btree ("platform_id","digest") WHERE stored_at is not null and user_id is null and data_key is not null;--> statement-breakpoint
CREATE INDEX "files_of_user" ON "files" USING btree ("platform_id","user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "files_expiry" ON "files" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE POLICY "of_platform" ON "files" AS PERMISSIVE FOR ALL TO public USING ("files"."platform_id" = current_setting('cardbridge.platform', true));--> statement-breakpoint
CREATE POLICY "owner_erase" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'erase');--> statement-breakpoint
CREATE POLICY "owner_sweep" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'sweep');--> statement-breakpoint
CREATE POLICY "owner_rewrap" ON "files" AS PERMISSIVE FOR ALL TO current_user USING (current_setting('cardbridge.task', true) = 'rewrap');