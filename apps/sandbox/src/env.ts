import { z } from "zod";
import type { SandboxOptions } from "./start.ts";

const schema = z.object({
  SANDBOX_PORT: z
    .string()
    .regex(/^[0-9]+$/, "A port number.")
    .transform(Number)
    .pipe(z.number().max(65_535))
    .default(0),
  SANDBOX_HOST: z.string().default("127.0.0.1"),
  SANDBOX_DATA_DIR: z.string().default(".data/sandbox"),
  SANDBOX_CLIENT_ID: z.string().default("cardbridge-dev"),
  SANDBOX_CLIENT_SECRET: z.string().default("sandbox-secret-for-development-only"),
});

/** Reads the options from the environment, where an empty variable counts as absent. Throws naming what is wrong. */
export function readEnv(environment: NodeJS.ProcessEnv = process.env): SandboxOptions {
  const present = Object.entries(environment).filter(([, value]) => value !== "");
  const result = schema.safeParse(Object.fromEntries(present));
  if (!result.success) throw new Error(z.prettifyError(result.error));
  const env = result.data;
  return {
    port: env.SANDBOX_PORT,
    host: env.SANDBOX_HOST,
    dataFolder: env.SANDBOX_DATA_DIR,
    clientId: env.SANDBOX_CLIENT_ID,
    clientSecret: env.SANDBOX_CLIENT_SECRET,
  };
}
