/** The environment of a process whose `Date`, not the system's, is at this expression; `Real` is the true one. */
export function clockAt(now: string): Record<string, string> {
  const script = `const Real = Date; const now = () => ${now};
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
