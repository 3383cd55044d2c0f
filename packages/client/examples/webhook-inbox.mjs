/**
 * Stores each event once, and the newest state of each KYC record. A platform stores both in one database transaction:
 * a unique webhookId rejects duplicates, and an update that requires a lower stored sequence ignores stale events.
 */
export function createInbox() {
  const received = new Set();
  const records = new Map();
  return {
    records,
    /** Resolves when the event is stored. Do slow work after the response. */
    async add({ webhookId, type, data }) {
      if (received.has(webhookId)) return;
      received.add(webhookId);
      if (type !== "kyc.updated") return;
      const known = records.get(data.kycRecordId);
      if (!known || known.sequence < data.sequence) records.set(data.kycRecordId, data);
    },
  };
}
