import { Failure, type Platforms, type UserFacts } from "@cardbridge/domain";

/** @throws Failure PLATFORM_NOT_FOUND. */
export async function requirePlatform(platforms: Platforms, platformId: string): Promise<void> {
  if (!(await platforms.find(platformId))) throw new Failure("PLATFORM_NOT_FOUND");
}

/**
 * The outcome for a user, audited for the user's platform.
 * @throws Failure USER_NOT_FOUND for null.
 */
export function userOutcome(user: UserFacts | null, { platformId }: { platformId: string }) {
  if (!user) throw new Failure("USER_NOT_FOUND", { audit: { platformId } });
  return { data: user, subject: user.externalUserId, platformId };
}
