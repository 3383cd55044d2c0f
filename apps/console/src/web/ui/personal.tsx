import { type ReactNode, useEffect, useState } from "react";

/** Personal data, which is not in the page while its view waits behind the sign-in. */
export function Personal({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(true);
  useEffect(() => {
    setShown(true);
    return () => setShown(false);
  }, []);
  return shown && children;
}
