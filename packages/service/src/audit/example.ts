export const exampleEntry = {
  id: "1",
  at: "2026-01-31T12:00:00.000Z",
  actor: "key_01jexample0000000000000000",
  person: null,
  operation: "kyc.submit",
  subject: "kyc_01jexample0000000000000000",
  outcome: "done",
  purpose: null,
  address: "192.0.2.1",
  requestId: "req_01jexample0000000000000000",
  count: null,
};
