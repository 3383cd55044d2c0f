/**
 * Fetches a stream of events. An EventSource reconnects after a lost connection, and gives up after an error response. A
 * service that is away for a moment is therefore reported as a lost connection.
 */
export async function streamFetch(address: string | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  if (response.status < 500 && response.status !== 429) return response;
  await response.body?.cancel();
  throw new TypeError("The service is not available.");
}
