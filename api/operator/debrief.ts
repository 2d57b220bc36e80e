import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { id, timeMs } from "#api/shapes.ts";

/** The debrief of a class: figures over at least five people, and nothing about individuals. */

/** How many: `few` is fewer than five, none included; `most` all but fewer than five. */
const masked = z.union([
  z.object({ size: z.literal("some"), people: z.int() }),
  z.object({ size: z.enum(["few", "most"]) }),
]);
export type MaskedPeople = z.infer<typeof masked>;

/**
 * A figure with the real time at which it was counted; null while fewer than five people
 * contribute.
 */
function figure<Content extends z.core.$ZodType>(content: Content) {
  return z.nullable(z.object({ counted_at_ms: timeMs, content }));
}

const percent = z.int();
/** Whole pUSDT, signed; null where fewer than five people have any. */
const wholeAmount = z.nullable(z.int());

const classDebrief = z.object({
  class_id: id,
  /** Null if its author has deleted their account. */
  label: z.nullable(z.string()),
  /** How many were in the class when its results were counted. */
  people: z.int(),
  /** Real time. */
  now_ms: timeMs,
  figures: z.object({
    results: figure(
      z.object({
        /** Results in whole pUSDT, side by side; null: open. From 0 to 0: unchanged. */
        ranges: z.array(
          z.object({ from: z.nullable(z.int()), to: z.nullable(z.int()), people: z.int() }),
        ),
        below: masked,
      }),
    ),
    orders: figure(
      z.object({
        people: masked,
        decided: z.int(),
        right_percent: percent,
        break_even_percent: percent,
      }),
    ),
    beliefs: figure(
      z.object({
        people: masked,
        stated_percent: percent,
        right_percent: percent,
        /** By stated confidence in percent, both ends included. */
        steps: z.array(
          z.object({
            from: z.int(),
            to: z.int(),
            stated_percent: percent,
            right_percent: percent,
          }),
        ),
      }),
    ),
    costs: figure(
      z.object({
        people: masked,
        fees: wholeAmount,
        spread: wholeAmount,
        hosting: wholeAmount,
        mining: wholeAmount,
      }),
    ),
    withdrawals: figure(masked),
  }),
});
export type ClassDebrief = z.infer<typeof classDebrief>;

export const openDebrief = defineCall({
  method: "POST",
  path: "/api/operator/class/openDebrief",
  summary:
    "Operator: opens the debrief of a class as it was counted last, or counts it anew; never over fewer than five people. Each opening is in the log, and who is counted by what they said sees it in their records",
  access: "operator",
  permission: "class.debrief",
  input: z.object({ class_id: id, recount: z.boolean() }),
  answer: classDebrief,
  errors: [
    "session.required",
    "operator.required",
    "operator.not_permitted",
    "class.link_unknown",
    "class.debrief_few",
    "class.debrief_over",
    "server.unavailable",
  ],
});

export const calls = { openDebrief };
