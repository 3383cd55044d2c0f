import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import { detect } from "../lib/detect.ts";
import { Key } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { setSearched } from "../user/searched.ts";

const words = {
  label: "Search",
  placeholder: "Search anything",
  hint: "An e-mail, a member id, usr_…, kyc_…, req_… or a card account",
} as const;

/** Opens what an id names, and otherwise searches the users. What was typed enters no address. */
export function SearchBox({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();
  function open(typed: string) {
    const found = detect(typed);
    if (found.kind === "nothing") return;
    if (found.kind === "record")
      void navigate({ to: "/records/$kycRecordId", params: { kycRecordId: found.kycRecordId } });
    else if (found.kind === "request")
      void navigate({ to: "/requests/$requestId", params: { requestId: found.requestId } });
    else if (found.kind === "user") void navigate({ to: "/users", search: { q: found.externalUserId } });
    else {
      setSearched(typed.trim());
      void navigate({ to: "/users", search: {} });
    }
    const input = inputRef.current;
    if (input) input.value = "";
    input?.blur();
  }
  return (
    <search className="min-w-0 flex-1">
      <form
        className="relative max-w-140"
        onSubmit={(event) => {
          event.preventDefault();
          open(inputRef.current?.value ?? "");
        }}
      >
        <Icon name="search" className="absolute top-2.5 left-2.5 text-muted" />
        <input
          ref={inputRef}
          type="text"
          name="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-label={words.label}
          aria-keyshortcuts="/"
          placeholder={words.placeholder}
          title={words.hint}
          onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
          className="h-9 w-full rounded border border-line bg-sunken pr-2 pl-8.5 md:pr-9 text-14 hover:border-line-strong focus:bg-surface"
        />
        <span className="pointer-events-none absolute top-2 right-2 max-md:hidden">
          <Key>/</Key>
        </span>
      </form>
    </search>
  );
}
