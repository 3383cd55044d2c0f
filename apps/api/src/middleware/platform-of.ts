import { type ApiKey, Failure, internalPlatformId, type Platforms, platformId } from "@cardbridge/domain";

/**
 * The platform that a call is for (gap G19): a platform's key is for its own, whatever else there may be; a key
 * of an internal app is for the one that the header names.
 * @throws Failure PLATFORM_FORBIDDEN, PLATFORM_NOT_FOUND.
 */
export async function platformOf(
  key: ApiKey,
  named: string | undefined,
  platforms: Platforms,
): Promise<string> {
  if (named === undefined || named === key.platformId) return key.platformId;
  if (key.platformId !== internalPlatformId) throw new Failure("PLATFORM_FORBIDDEN");
  const exists = platformId.safeParse(named).success && (await platforms.exists(named));
  if (!exists) throw new Failure("PLATFORM_NOT_FOUND");
  return named;
}
