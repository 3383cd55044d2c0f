/**
 * Stores each event once, and the newest state of each KYC record and of each request for a document. A platform stores
 * them in one database transaction: a unique webhookId rejects duplicates, and an update that requires a lower stored
 * sequence ignores stale events.
 */
export function createInbox() {
  const received = new Set();
  const records = new Map();
  const requests = new Map();
  return {
    records,
    requests,
    /** Resolves when the event is stored. Do slow work after the response. */
    async add({ webhookId, type, data }) {
      if (received.has(webhookId)) return;
      received.add(webhookId);
      if (type === "kyc.updated") keepNewest(records, data.kycRecordId, data);
      if (type === "kyc.request_updated") keepNewest(requests, data.documentRequestId, data);
    },
  };
}

function keepNewest(states, id, data) {
  const known = states.get(id);
  if (!known || known.sequence < data.sequence) states.set(id, data);
}
