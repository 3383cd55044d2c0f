import { randomBytes } from "node:crypto";
import { join } from "node:path";

/** The environment of a production with the database and keys of its own, which lacks nothing that a start requires. */
export function productionEnv(folder: string, database: { serviceUrl: string }): Record<string, string> {
  return {
    NODE_ENV: "production",
    ENVIRONMENT: "test",
    PORT: "0",
    METRICS_PORT: "0",
    PUBLIC_URL: "https://cards.example.com",
    FILES_DIR: join(folder, "files"),
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: "http://127.0.0.1:1",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "a-secret-of-length",
    FINGERPRINT_KEY: randomBytes(32).toString("base64"),
    KEY_RING: `1:${randomBytes(32).toString("base64")}`,
  };
}
