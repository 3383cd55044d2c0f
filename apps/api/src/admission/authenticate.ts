import { hash } from "node:crypto";
import {
  type ApiKey,
  type Environment,
  Failure,
  type FilePurpose,
  type FindApiKey,
  ownerOf,
  type Person,
  platformId,
  type Scope,
  scopesOfRoles,
} from "@cardbridge/domain";
import type { Call } from "@cardbridge/service";
import * as z from "zod";
import { isUploadsPath, uploadsPath } from "../config/paths.ts";
import { environmentOf, hashApiKey, isDemoKey, isWellFormed } from "./api-key.ts";
import type { Head } from "./head.ts";
import { invalidPerson } from "./persons/person-token.ts";
import type { VerifyPerson } from "./persons/verify-person.ts";

/** The identity of a request's caller, and the platform of the call. */
export type Caller = Pick<Call, "kind" | "actor" | "platformId" | "scopes" | "person"> & {
  /** The upload URL that the caller used instead of a key. */
  upload?: UploadUrl;
};

/** The id of an upload URL, which accepts one file, and the purpose of the file. */
export interface UploadUrl {
  uploadId: string;
  purpose: FilePurpose;
}

interface UploadTokens {
  /** The creator and the purpose of an upload URL, by its token; undefined if it is invalid or expired. */
  readToken(token: string): (Pick<Call, "actor" | "platformId"> & Pick<UploadUrl, "purpose">) | undefined;
}

/** Finds a platform; null if it does not exist. */
export type FindPlatform = (platformId: string) => object | null | Promise<object | null>;

interface Options {
  findApiKey: FindApiKey;
  findPlatform: FindPlatform;
  isLiveKey: (keyId: string) => Promise<boolean>;
  urls: UploadTokens;
  /** Whether the public demo keys are valid: with the embedded database only. */
  allowDemoKeys: boolean;
  /** The service's environment. Keys of the other one are not valid (gap G36). */
  environment: Environment;
  /** Without it, no issuer of persons' tokens is configured. */
  verifyPerson?: VerifyPerson | undefined;
}

/** Returns the caller of a request. */
export type Authenticate = (head: Head) => Promise<Caller>;

/** The characters of upload tokens, and a limit above their length. Other text is not a token. */
const uploadToken = z.string().regex(/^[A-Za-z0-9_.-]{1,2048}$/);

/**
 * Authenticates the key in `Authorization: Bearer <API key>`, or the token in an upload URL (gap G19).
 * A key with ops.persons needs the access token of a person, and other keys must not send one (gap G37).
 * @throws Failure UNAUTHENTICATED for a missing, malformed, unknown, expired or revoked key or token;
 *   PERSON_REQUIRED, PERSON_INVALID or PERSON_BLOCKED for the person; PLATFORM_FORBIDDEN or PLATFORM_NOT_FOUND for the
 *   named platform.
 */
export function createAuthenticate(options: Options): Authenticate {
  const { findApiKey, findPlatform, isLiveKey, urls, allowDemoKeys, environment, verifyPerson } = options;
  return (head) => (isUploadsPath(head.path) ? byToken(head.path) : byKey(head));

  async function byKey({ authorization, platform, person: token }: Head): Promise<Caller> {
    const key = bearerKey(authorization);
    if (key === undefined || !isWellFormed(key)) throw new Failure("UNAUTHENTICATED");
    if (environmentOf(key) !== environment) throw wrongEnvironment(environment);
    if (isDemoKey(key) && !allowDemoKeys) throw new Failure("UNAUTHENTICATED");
    const found = await findApiKey(hashApiKey(key));
    if (!found) throw new Failure("UNAUTHENTICATED");
    const caller = callerOf(found, await personOf(found, token));
    return { ...caller, platformId: await platformOf(findPlatform, caller, platform) };
  }

  /** The person of a call. A key with ops.persons is of no use without one, also to someone who stole it. */
  async function personOf({ scopes }: ApiKey, token: string | undefined): Promise<Person | undefined> {
    const isForPersons = scopes.includes("ops.persons");
    if (token === undefined) {
      if (isForPersons) throw new Failure("PERSON_REQUIRED");
      return undefined;
    }
    if (!isForPersons) throw invalidPerson("key-without-persons");
    if (!verifyPerson) throw invalidPerson("persons-not-configured");
    return verifyPerson(token);
  }

  /** The key that created the upload URL, while that key is live. */
  async function byToken(path: string): Promise<Caller> {
    const token = path.slice(uploadsPath.length);
    const read = uploadToken.safeParse(token).success ? urls.readToken(token) : undefined;
    const isLive = read && (await isLiveKey(read.actor));
    if (!isLive) throw new Failure("UNAUTHENTICATED");
    const { purpose, ...creator } = read;
    // A hash, because the id is stored, and the token is a credential.
    const upload = { uploadId: hash("sha256", token, "base64url"), purpose };
    return { ...creator, kind: "platform", scopes: new Set(["files:write"] as const), upload };
  }
}

/**
 * The platform of a call whose header or input names one. The key of an internal app may name every platform that its
 * person may access; a platform's key allows only its own. Others' platforms look as if they did not exist.
 * @throws Failure PLATFORM_FORBIDDEN, PLATFORM_NOT_FOUND.
 */
export async function platformOf(
  findPlatform: FindPlatform,
  { kind, platformId: own, person }: Pick<Call, "kind" | "platformId" | "person">,
  named: string | undefined,
): Promise<string> {
  if (named === undefined || named === own) return own;
  if (kind !== "internal") throw new Failure("PLATFORM_FORBIDDEN");
  const allowed = person === undefined || person.platforms === "all" || person.platforms.includes(named);
  const isKnown = allowed && platformId.safeParse(named).success && (await findPlatform(named));
  if (!isKnown) throw new Failure("PLATFORM_NOT_FOUND");
  return named;
}

/** The caller with a key, before it names a platform. */
function callerOf(key: ApiKey, person: Person | undefined): Caller {
  const { keyId, platformId } = key;
  const caller = { kind: ownerOf(platformId), actor: keyId, platformId, scopes: scopesOf(key, person) };
  return person ? { ...caller, person } : caller;
}

/** What both the key and the person's roles allow. */
function scopesOf({ scopes }: ApiKey, person: Person | undefined): Set<Scope> {
  const ofRoles: ReadonlySet<Scope> | undefined = person && scopesOfRoles(person.roles);
  return new Set(ofRoles ? scopes.filter((scope) => ofRoles.has(scope)) : scopes);
}

function wrongEnvironment(environment: Environment): Failure {
  const message = `This service has the environment ${environment}: send one of its keys, such as cb_${environment}_….`;
  return new Failure("UNAUTHENTICATED", {
    violations: [{ path: [], header: "Authorization", rule: "environment", message }],
  });
}

/** The API key in an `Authorization: Bearer <key>` header; undefined without one. */
function bearerKey(authorization = ""): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
