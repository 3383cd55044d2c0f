/*
 * Secrets of development. Everyone who reads this file knows them: they are good for a sandbox on this machine, and
 * production refuses them.
 */

export const sandboxCredentials = {
  clientId: "cardbridge-dev",
  clientSecret: "sandbox-secret-for-development-only",
};

/** Signs the sandbox's events, which travel between two processes of this machine. */
export const sandboxEventsSecret = "whsec_c2FuZGJveC1ldmVudHMtZm9yLWRldmVsb3BtZW50";

/** Fixed, so that a restarted service still recognises equal bodies. */
export const developmentFingerprintKey = "fingerprints-of-development-only";

/** 32 bytes that wrap the data keys of demo users. */
export const developmentRingKey = "a2V5LXJpbmctb2YtZGV2ZWxvcG1lbnQtb25seS0tLS0=";
export const developmentKeyRing = `1:${developmentRingKey}`;
