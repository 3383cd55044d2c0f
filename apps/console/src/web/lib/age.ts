const words = {
  now: "just now",
  seconds: (n: number) => `${n} s`,
  minutes: (n: number) => `${n} m`,
  hours: (h: number, m: number) => (m === 0 ? `${h} h` : `${h} h ${m} m`),
  days: (d: number, h: number) => (h === 0 ? `${d} d` : `${d} d ${h} h`),
  ago: (age: string) => `${age} ago`,
  in: (age: string) => `in ${age}`,
} as const;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** An age in milliseconds as words with at most two units, such as `3 h 12 m`. */
export function ageWords(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  if (age < 5_000) return words.now;
  if (age < minute) return words.seconds(Math.floor(age / 1_000));
  if (age < hour) return words.minutes(Math.floor(age / minute));
  if (age < day) return words.hours(Math.floor(age / hour), Math.floor((age % hour) / minute));
  return words.days(Math.floor(age / day), Math.floor((age % day) / hour));
}

/** A time relative to `now`, such as `3 h 12 m ago` or `in 30 s`. */
export function relativeTime(at: string, now: number): string {
  const age = now - Date.parse(at);
  const text = ageWords(Math.abs(age));
  if (text === words.now) return text;
  return age < 0 ? words.in(text) : words.ago(text);
}

/** Whether an age keeps to the agreed hours: `near` in the last quarter of them. */
export function againstSla(ageMilliseconds: number, slaHours: number): "within" | "near" | "over" {
  const part = ageMilliseconds / (slaHours * hour);
  return part > 1 ? "over" : part > 0.75 ? "near" : "within";
}

/** An exact time in the reader's zone, to the second. */
export function exactTime(at: string): string {
  return new Date(at).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

/** The time of a day, such as `14:03:21`. */
export function clockTime(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** A time to the minute without the year, such as `23 Nov, 18:00`. */
export function shortTime(at: string): string {
  const options = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Date(at).toLocaleString("en-GB", options);
}
