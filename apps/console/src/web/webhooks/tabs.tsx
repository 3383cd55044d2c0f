import { TabLinks } from "../ui/head.tsx";
import { words } from "../words.ts";

const { tabs } = words.webhooks;

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
