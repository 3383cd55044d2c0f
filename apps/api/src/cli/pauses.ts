import { InvalidArgumentError, Option } from "commander";
import type { NounDetails } from "./details.ts";

const minutes = { m: 1, h: 60, d: 1_440 } as const;

/** When a pause ends: after some minutes, hours or days, such as `90m`, or at a time. */
export function parseEnd(text: string, now: Date): string {
  const [, count, unit] = /^([1-9][0-9]{0,3})([mhd])$/.exec(text) ?? [];
  if (count && unit) {
    return new Date(
      now.getTime() + Number(count) * minutes[unit as keyof typeof minutes] * 60_000,
    ).toISOString();
  }
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text))
    throw new InvalidArgumentError(
      "Give a duration such as 90m, 4h or 2d, or a time such as 2027-01-31T14:00:00Z.",
    );
  return text;
}

const until = () =>
  new Option(
    "--until <when>",
    "when the pause ends by itself: after 90m, 4h or 2d, or at a time such as 2027-01-31T14:00:00Z (required)",
  )
    .argParser((text) => parseEnd(text, new Date()))
    .makeOptionMandatory();

export const pauses = {
  pauseProvider: {
    example: 'pauses pause-provider --reason "Maintenance at the provider" --until 2h',
    options: [until()],
  },
  pausePlatform: {
    example: 'pauses pause-platform --platform plt_… --reason "A leaked key" --until 1d',
    options: [until()],
  },
  list: {
    columns: { pauses: "pauseId target platformId state pausedAt until pausedBy resumedBy reason" },
  },
} satisfies NounDetails<"pauses">;
