/**
 * The environment of a process whose `Date` shows another time than the system's.
 *
 * @param now a JavaScript expression of milliseconds, in which `Real` is the true `Date`
 */
export function clockAt(now: string): Record<string, string> {
  const script = `const Real = Date; const now = () => ${now};
    globalThis.Date = class extends Real {
      constructor(...input) { input.length === 0 ? super(now()) : super(...input); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
