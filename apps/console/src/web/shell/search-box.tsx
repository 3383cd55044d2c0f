import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from "react";
import { api } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { Key } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { type Described, describeFound, FoundRow } from "./found.tsx";

const words = {
  label: "Search",
  results: "What was found",
  placeholder: "Search anything",
  hint: "An e-mail, a member id, any id, whole or as shown here, or a platform’s name",
  searching: "Searching…",
  nothing: "Nothing found. An e-mail and a member id must match exactly.",
  nothingById: "Nothing found. Your role finds things by their ids and names, and no persons.",
  short: "Type at least three characters.",
  failed: "The search does not answer. Press Enter to try it again.",
} as const;

const minLength = 3;
const debounceMs = 250;

/** Finds anything by what a person can type, and opens it. What is typed stays in this page's memory. */
export function SearchBox({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }) {
  const navigate = useNavigate();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [awaited, setAwaited] = useState(false);
  const { may } = useMe();
  const text = typed.trim();
  const [searched, setSearched] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const search = useQuery({
    // What was searched for is forgotten as soon as nothing shows it.
    ...api.search.find.queryOptions({ text: searched }, { gcTime: 0, placeholderData: keepPreviousData }),
    enabled: searched.length >= minLength,
  });
  const isCurrent = searched === text && search.isSuccess && !search.isPlaceholderData;
  const found =
    text.length < minLength
      ? []
      : (search.data?.results ?? []).map((each) => describeFound(each, may, searched));
  const go = ({ link }: Described) => {
    if (!link) return;
    setTyped("");
    setOpen(false);
    inputRef.current?.blur();
    void navigate(link);
  };
  // Enter came before the results: a single one opens.
  useEffect(() => {
    if (!awaited || !isCurrent) return;
    setAwaited(false);
    const [only, ...others] = found;
    if (only && others.length === 0) go(only);
  });
  const onEnter = () => {
    const chosen = isCurrent ? found[active] : undefined;
    if (chosen) return go(chosen);
    if (search.error) return void search.refetch();
    setSearched(text);
    setAwaited(true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const moves = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (moves !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((active + moves + found.length) % found.length);
    } else if (event.key === "Enter") onEnter();
    else if (event.key === "Escape") {
      if (typed === "") event.currentTarget.blur();
      setTyped("");
    }
  };
  if (!may("ops.records.read", "ops.users.read", "ops.webhooks", "ops.platforms", "ops.keys")) return null;
  const isShown = isOpen && text !== "";
  const message =
    text.length < minLength
      ? words.short
      : search.error
        ? words.failed
        : !isCurrent
          ? words.searching
          : found.length === 0 && (may("ops.users.read") ? words.nothing : words.nothingById);
  return (
    <search className="relative min-w-0 max-w-140 flex-1">
      <Icon name="search" className="absolute top-2.5 left-2.5 text-muted" />
      <input
        ref={inputRef}
        type="text"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && found[active] ? `${listId}-${active}` : undefined}
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-label={words.label}
        aria-keyshortcuts="/"
        placeholder={words.placeholder}
        title={words.hint}
        maxLength={128}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
          setAwaited(false);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="h-9 w-full rounded border border-line bg-sunken pr-2 pl-8.5 md:pr-9 text-14 hover:border-line-strong focus:bg-surface"
      />
      <span className="pointer-events-none absolute top-2 right-2 max-md:hidden">
        <Key>/</Key>
      </span>
      {isShown && (
        <div className="fixed inset-x-4 top-14 z-40 max-h-[70dvh] overflow-y-auto rounded border border-line bg-surface p-1 shadow-float md:absolute md:inset-x-0 md:top-11">
          <div id={listId} role="listbox" aria-label={words.results}>
            {found.map((each, index) => (
              // The input keeps the focus, and its keys move among the options.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
              <div
                key={each.key}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(index)}
                onClick={() => go(each)}
                className="cursor-pointer rounded px-3 py-1.5 aria-selected:bg-accent-tint"
              >
                <FoundRow found={each} />
              </div>
            ))}
          </div>
          <p role="status" className="px-3 py-2 text-muted empty:hidden">
            {message}
          </p>
        </div>
      )}
    </search>
  );
}
