import { type ApiKey, Failure, internalPlatformId, type Platforms, platformId } from "@cardbridge/domain";

/**
 * The platform of a call (gap G19). A platform's key is valid for its own platform only. With an internal app's key,
 * the header names the platform.
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
