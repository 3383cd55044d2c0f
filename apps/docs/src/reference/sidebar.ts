import { operations } from "../document/operations.ts";

/** The short name of each operation, below the group of its tag. */
const labels: Record<string, string> = {
  "cards.list": "List cards",
  "cards.get": "Read a card",
  "kyc.submit": "Submit KYC",
  "kyc.get": "Read the result",
  "kyc.validate": "Validate",
  "kyc.requirements": "Requirements",
  "kyc.history": "Read a record",
  "kyc.answerRequest": "Answer a request",
  "users.changeEmail": "Change an e-mail",
  "files.upload": "Upload a file",
  "files.read": "Read a file",
  "webhooks.create": "Create an endpoint",
  "webhooks.list": "List endpoints",
  "webhooks.get": "Read an endpoint",
  "webhooks.update": "Change an endpoint",
  "webhooks.delete": "Delete an endpoint",
  "webhooks.rotateSecret": "Rotate the secret",
  "webhooks.test": "Send a test event",
  "webhooks.redeliverFailed": "Redeliver failed",
  "webhooks.deliveries": "List deliveries",
  "webhooks.delivery": "Read a delivery",
  "webhooks.redeliver": "Redeliver one",
  "sandbox.act": "Act in a sandbox",
};

interface Item {
  slug: string;
  label: string;
}

/** The reference in the sidebar: the overview, the operations in the groups of their tags, and the events. */
export function referenceItems(): (Item | { label: string; items: Item[] })[] {
  const groups = Map.groupBy(operations, ({ tag }) => tag);
  return [
    { slug: "reference", label: "Overview" },
    ...[...groups].map(([label, members]) => ({
      label,
      items: members.map(({ id, summary }) => ({ slug: `reference/${id}`, label: labels[id] ?? summary })),
    })),
    { slug: "reference/events", label: "Webhook events" },
  ];
}
