import { isLoopback, secret, secretNames } from "@cardbridge/node";
import * as z from "zod";

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Set a whole number from ${min} to ${max}.`)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const anyHttpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "Set an http or https URL.",
    abort: true,
  });
const httpUrl = anyHttpUrl.transform((text) => text.replace(/\/$/, ""));

/** Plain http shows cookies and tokens to the network, so it is for loopback addresses only. */
export function isSafeUrl(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || isLoopback(hostname);
}
export const unsafeUrl = "Set an https URL.";

/** Every environment variable of the console's server. */
export const variables = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  CONSOLE_HOST: z.string().min(1).default("127.0.0.1"),
  CONSOLE_PORT: wholeNumber(1, 65_535).default(3001),
  CONSOLE_METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  CONSOLE_METRICS_PORT: wholeNumber(0, 65_535).default(9465),
  CONSOLE_PUBLIC_URL: httpUrl
    .refine(
      (text) => new URL(text).pathname === "/",
      "Set an origin without a path, such as https://console.example.com.",
    )
    .refine(isSafeUrl, unsafeUrl)
    .optional(),
  CONSOLE_REDIS_URL: secret(z.url({ protocol: /^rediss?$/, error: "Set a redis or rediss URL." }).optional()),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000).default(0),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(15_000),
  CARDBRIDGE_URL: httpUrl,
  CARDBRIDGE_KEY: secret(
    z.string().regex(/^cb_int_(live|test)_[0-9A-Za-z]{30}$/, "Set the key of an internal app, cb_int_…."),
  ),
  // Some issuers end with a slash, and tokens name them exactly.
  OIDC_ISSUER: anyHttpUrl.refine(isSafeUrl, unsafeUrl).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: secret(z.string().min(1).optional()),
  OIDC_AUDIENCE: z.string().min(1).optional(),
  OIDC_AUDIENCE_PARAMETER: z.enum(["resource", "audience", "none"]).default("resource"),
  OIDC_SCOPE: z.string().min(1).default("openid profile"),
  SLA_HOURS: wholeNumber(1, 720).default(4),
  DOCS_URL: httpUrl.optional(),
  TRACE_URL: z
    .string()
    .refine(
      (text) => /^https?:/.test(text) && URL.canParse(text) && text.includes("{traceId}"),
      "Set a URL with {traceId}.",
    )
    .optional(),
});

/** The names of variables with secrets. */
export const secretVariables = secretNames(variables);
