/*
 * Public secrets for development. They protect nothing beyond a sandbox on this machine. Production refuses them.
 */

export const sandboxCredentials = {
  clientId: "cardbridge-dev",
  clientSecret: "sandbox-secret-for-development-only",
};

/** Signs the sandbox's events between two processes of this machine. */
export const sandboxEventsSecret = "whsec_c2FuZGJveC1ldmVudHMtZm9yLWRldmVsb3BtZW50";

/** Fixed, so that a restarted service still recognizes equal bodies. */
export const developmentFingerprintKey = "fingerprints-of-development-only";

/** 32 bytes that encrypt the data keys of demo users. */
export const developmentRingKey = "a2V5LXJpbmctb2YtZGV2ZWxvcG1lbnQtb25seS0tLS0=";
export const developmentKeyRing = `1:${developmentRingKey}`;
