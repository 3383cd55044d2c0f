-- A rate counts in each process, or in Redis or Valkey. A cached key or user ends within a second, so nothing has to be
-- notified of a change.
DROP FUNCTION lease_rate_tokens(text, text, integer, integer, integer);--> statement-breakpoint
DROP TABLE "rate_limits";--> statement-breakpoint
DROP TABLE "limiting_processes";--> statement-breakpoint
DROP TRIGGER key_changed ON api_keys;
DROP TRIGGER key_deleted ON api_keys;
DROP TRIGGER user_changed ON users;
DROP TRIGGER user_deleted ON users;
DROP FUNCTION notify_changed_key();
DROP FUNCTION notify_changed_user();
