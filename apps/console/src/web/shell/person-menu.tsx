import { Menu } from "@base-ui/react/menu";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { type Session, signOut } from "../api/session.ts";
import { createStore } from "../api/store.ts";
import { shared } from "../lib/words.ts";
import { Icon } from "../ui/icon.tsx";
import { popups } from "../ui/popups.ts";

const words = {
  menu: ": account and appearance",
  theme: "Appearance",
  system: "Like the system",
  light: "Light",
  dark: "Dark",
  keys: "Keyboard",
  signOut: "Sign out",
} as const;

const item =
  "flex h-9 items-center gap-2 rounded px-2 text-14 outline-none data-highlighted:bg-accent-tint data-highlighted:text-accent";

/** The signed-in person: name and roles, light or dark, the keys, and sign-out. */
export function PersonMenu({ session, onKeys }: { session: Session; onKeys(): void }) {
  const me = useQuery(api.persons.me.queryOptions({})).data;
  const name = me?.name ?? session.name ?? shared.person.unnamed;
  const roles = me?.roles.map((role) => shared.person.role[role]).join(", ");
  return (
    <Menu.Root>
      <Menu.Trigger className="flex h-9 max-w-80 shrink-0 items-center gap-2 rounded px-1.5 hover:bg-sunken data-popup-open:bg-sunken">
        <span
          aria-hidden="true"
          className="flex size-7 items-center justify-center rounded-full bg-accent-tint text-12 font-semibold text-accent"
        >
          {initials(name)}
        </span>
        <span className="truncate text-13 font-medium max-lg:sr-only">{name}</span>
        {roles && <span className="text-13 text-muted max-lg:sr-only">{roles}</span>}
        <span className="sr-only">{words.menu}</span>
        <Icon name="down" className="hidden text-muted lg:inline" />
      </Menu.Trigger>
      <Menu.Portal container={popups}>
        <Menu.Positioner align="end" sideOffset={6} className="z-40 outline-none">
          <Menu.Popup className="w-64 rounded bg-surface p-1 shadow-float outline-none">
            <div className="px-2 py-2">
              <p className="truncate font-semibold">{name}</p>
              <p className="text-13 text-muted">{roles}</p>
            </div>
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.Group>
              <Menu.GroupLabel className="px-2 py-1 text-12 text-muted">{words.theme}</Menu.GroupLabel>
              <Menu.RadioGroup value={theme.use()} onValueChange={chooseTheme}>
                {(["system", "light", "dark"] as const).map((value) => (
                  <Menu.RadioItem key={value} value={value} className={item}>
                    <span className="size-4">
                      <Menu.RadioItemIndicator>
                        <Icon name="check" />
                      </Menu.RadioItemIndicator>
                    </span>
                    {words[value]}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </Menu.Group>
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.Item className={item} onClick={onKeys}>
              {words.keys}
            </Menu.Item>
            <Menu.Item className={item} onClick={() => void signOut()}>
              {words.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The first letters of the first and the last name. */
function initials(name: string): string {
  const parts = name.split(/\s+/).filter(Boolean);
  return [...new Set([parts[0], parts.at(-1)])].map((part) => [...(part ?? "")][0] ?? "").join("");
}

type Theme = "system" | "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");
const kept = localStorage.getItem("theme");
const theme = createStore<Theme>(kept === "light" || kept === "dark" ? kept : "system");

function show(): void {
  const dark = theme.get() === "dark" || (theme.get() === "system" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

system.addEventListener("change", show);
theme.subscribe(show);

/** Chooses light or dark for this browser, or follows the system again. */
function chooseTheme(next: Theme): void {
  if (next === "system") localStorage.removeItem("theme");
  else localStorage.setItem("theme", next);
  theme.set(next);
}
