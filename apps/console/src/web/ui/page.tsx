import { type ReactNode, useEffect } from "react";

const words = {
  title: (view: string) => `${view} · cardbridge`,
} as const;

/** Sets the title of the page. It never holds personal data. */
export function usePageTitle(view: string): void {
  useEffect(() => {
    document.title = words.title(view);
  }, [view]);
}

/** The content of a view, with its margins. */
export const Page = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto w-full max-w-[1360px] px-4 pt-5 pb-24 md:px-6 md:pb-12">{children}</div>
);
