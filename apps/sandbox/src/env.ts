import * as z from "zod";
import type { SandboxOptions } from "./start.ts";

const schema = z
  .object({
    SANDBOX_PORT: z
      .string()
      .regex(/^[0-9]+$/, "Must be a port number.")
      .transform(Number)
      .pipe(z.number().max(65_535))
      .default(0),
    SANDBOX_HOST: z.string().default("127.0.0.1"),
    SANDBOX_DATA_DIR: z.string().default(".data/sandbox"),
    SANDBOX_CLIENT_ID: z.string().default("cardbridge-dev"),
    SANDBOX_CLIENT_SECRET: z.string().default("sandbox-secret-for-development-only"),
    SANDBOX_EVENTS_URL: z.url({ protocol: /^https?$/ }).optional(),
    SANDBOX_EVENTS_SECRET: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+=*$/, "Must be whsec_ and base64.")
      .optional(),
    SANDBOX_FETCH_UNDER: z
      .string()
      .default("")
      .transform((list) => list.split(",").map((address) => address.trim()))
      .transform((addresses) => addresses.filter((address) => address !== ""))
      .pipe(z.array(z.url({ protocol: /^https?$/ }))),
  })
  .refine((env) => (env.SANDBOX_EVENTS_URL === undefined) === (env.SANDBOX_EVENTS_SECRET === undefined), {
    path: ["SANDBOX_EVENTS_SECRET"],
    message: "Set SANDBOX_EVENTS_URL and SANDBOX_EVENTS_SECRET together: both or neither.",
  });

/**
 * Reads the options from the environment. An empty variable counts as absent.
 * @throws Error whose message names the invalid variables
 */
export function readEnv(environment: NodeJS.ProcessEnv = process.env): SandboxOptions {
  const present = Object.entries(environment).filter(([, value]) => value !== "");
  const result = schema.safeParse(Object.fromEntries(present));
  if (!result.success) throw new Error(z.prettifyError(result.error));
  const env = result.data;
  const { SANDBOX_EVENTS_URL: url, SANDBOX_EVENTS_SECRET: secret } = env;
  return {
    port: env.SANDBOX_PORT,
    host: env.SANDBOX_HOST,
    dataFolder: env.SANDBOX_DATA_DIR,
    clientId: env.SANDBOX_CLIENT_ID,
    clientSecret: env.SANDBOX_CLIENT_SECRET,
    events: url !== undefined && secret !== undefined ? { url, secret } : undefined,
    fetchUnder: env.SANDBOX_FETCH_UNDER,
  };
}
