import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
  useLocation,
  useSearch,
} from "@tanstack/react-router";
import { Activity } from "react";
import { signedInPath, useSession } from "./api/session.ts";
import { validateAuditSearch } from "./audit/filter.ts";
import { idLike, withoutAbsent } from "./lib/search-params.ts";
import { validateQueueSearch } from "./queue/filter.ts";
import { Shell } from "./shell/shell.tsx";
import { SignedIn, SignIn } from "./shell/sign-in.tsx";
import { buttonClass } from "./ui/button.tsx";
import { Page, usePageTitle } from "./ui/page.tsx";
import { Empty, ErrorState } from "./ui/states.tsx";
import { validateDeliveriesSearch } from "./webhooks/filter.ts";

const words = {
  title: "There is nothing here",
  text: "The address is wrong, or the view has moved.",
  link: "Go to the queue",
} as const;

function Root() {
  const current = useSession();
  const { error } = useSearch({ strict: false });
  const isWindow = useLocation({ select: ({ pathname }) => pathname === signedInPath });
  if (current.state === "loading") return null;
  const { state, session } = current;
  const failure = error === "refused" || error === "unavailable" ? error : undefined;
  return (
    <>
      {state === "signed-out" && <SignIn {...current} why={failure ?? current.why} />}
      {state === "signed-in" && isWindow && <SignedIn />}
      {session && !isWindow && (
        <Activity mode={state === "signed-in" ? "visible" : "hidden"}>
          <Shell session={session} />
        </Activity>
      )}
    </>
  );
}

const root = createRootRoute({
  component: Root,
  errorComponent: ({ error }) => <ErrorState error={error} onRetry={() => location.reload()} />,
  notFoundComponent: NotFound,
});

const under = { getParentRoute: () => root };
/** A view without search parameters, which is loaded when it is opened. */
const view = <Path extends string, Module extends Record<Name, RouteComponent>, Name extends string>(
  path: Path,
  load: () => Promise<Module>,
  name: Name,
) => createRoute({ ...under, path, component: lazyRouteComponent(load, name) as RouteComponent });

const routeTree = root.addChildren([
  view("/", () => import("./home/home-page.tsx"), "HomePage"),
  view("/platforms", () => import("./platforms/platforms-page.tsx"), "PlatformsPage"),
  view("/platforms/persons", () => import("./persons/persons-page.tsx"), "PersonsPage"),
  view("/platforms/$platformId", () => import("./platforms/platform-page.tsx"), "PlatformPage"),
  createRoute({
    ...under,
    path: "/webhooks",
    validateSearch: ({ platform }: Record<string, unknown>) => withoutAbsent({ platform: idLike(platform) }),
    component: lazyRouteComponent(() => import("./webhooks/endpoints-page.tsx"), "EndpointsPage"),
  }),
  createRoute({
    ...under,
    path: "/webhooks/$platformId/$endpointId",
    validateSearch: validateDeliveriesSearch,
    component: lazyRouteComponent(() => import("./webhooks/endpoint-page.tsx"), "EndpointPage"),
  }),
  view(
    "/webhooks/$platformId/$endpointId/$deliveryId",
    () => import("./webhooks/delivery-page.tsx"),
    "DeliveryPage",
  ),
  createRoute({
    ...under,
    path: "/audit",
    validateSearch: validateAuditSearch,
    component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
  }),
  view("/system", () => import("./system/system-page.tsx"), "SystemPage"),
  createRoute({
    ...under,
    // The server sends here what became of a sign-in. Whoever is signed in has no use for it.
    path: "/sign-in",
    validateSearch: (search: Record<string, unknown>) => search,
    component: () => <Navigate to="/" search={{}} replace />,
  }),
  createRoute({ ...under, path: signedInPath }),
  createRoute({
    ...under,
    path: "/queue",
    validateSearch: validateQueueSearch,
    component: lazyRouteComponent(() => import("./queue/queue-page.tsx"), "QueuePage"),
  }),
  view("/records/$kycRecordId", () => import("./record/record-page.tsx"), "RecordPage"),
  view("/users/$platformId/$externalUserId", () => import("./user/user-page.tsx"), "UserPage"),
  view("/proposals", () => import("./proposals/list-page.tsx"), "ProposalsPage"),
]);

function NotFound() {
  usePageTitle(words.title);
  return (
    <Page>
      <h1 className="sr-only">{words.title}</h1>
      <Empty title={words.title} text={words.text}>
        <Link to="/queue" search={{}} className={buttonClass("plain")}>
          {words.link}
        </Link>
      </Empty>
    </Page>
  );
}

export const router = createRouter({
  routeTree,
  scrollRestoration: true,
  defaultPreload: "intent",
  trailingSlash: "never",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
