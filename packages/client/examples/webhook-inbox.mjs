/**
 * Stores each event once, and the newest state of each KYC record. A platform keeps both in its database, in one
 * transaction: a unique webhookId refuses duplicates, and an update where the sequence is lower refuses old news.
 */
export function createInbox() {
  const received = new Set();
  const records = new Map();
  return {
    records,
    /** Resolves when the event is stored. Work that takes longer follows the answer. */
    async add({ webhookId, type, data }) {
      if (received.has(webhookId)) return;
      received.add(webhookId);
      if (type !== "kyc.updated") return;
      const known = records.get(data.kycRecordId);
      if (!known || known.sequence < data.sequence) records.set(data.kycRecordId, data);
    },
  };
}
