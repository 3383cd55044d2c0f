import { TabLinks } from "../ui/head.tsx";

const words = {
  tabs: { label: "Deliveries and endpoints", deliveries: "Deliveries", endpoints: "Endpoints" },
} as const;

const { tabs } = words;

/** Deliveries and endpoints. */
export const WebhookTabs = () => (
  <TabLinks
    label={tabs.label}
    tabs={[
      { name: tabs.deliveries, link: { to: "/webhooks", search: {} } },
      { name: tabs.endpoints, link: { to: "/webhooks/endpoints", search: {} } },
    ]}
  />
);
