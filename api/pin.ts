import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { nothing, timeMs } from "#api/shapes.ts";

/** Six ASCII digits. Never included in a body hash, a log or an answer. */
export const pin = z.string().check(z.regex(/^[0-9]{6}$/));

/** Errors of a call that asks for the PIN when one is set. */
export const pinErrors = ["pin.required", "pin.wrong", "pin.locked"] as const;

export const getPin = defineCall({
  method: "GET",
  path: "/api/user/getPin",
  summary: "Whether a PIN is set, and whether it can be reset without the old one",
  access: "user",
  input: nothing,
  answer: z.object({
    set: z.boolean(),
    set_at_ms: z.nullable(timeMs),
    /** Real time until which attempts are rejected unread; null if the next one is accepted. */
    locked_until_ms: z.nullable(timeMs),
    /**
     * Real time until which this sign-in substitutes for the old PIN; null once it no longer does.
     */
    fresh_until_ms: z.nullable(timeMs),
  }),
  errors: ["session.required"],
});

export const setPin = defineCall({
  method: "POST",
  path: "/api/user/setPin",
  summary:
    "Sets or changes the PIN for withdrawing and sending; a change needs the old one, or a sign-in at most five minutes old",
  access: "user",
  input: z.object({ pin, current_pin: z.optional(pin) }),
  answer: z.object({ set: z.boolean() }),
  errors: ["session.required", ...pinErrors],
});

export const removePin = defineCall({
  method: "POST",
  path: "/api/user/removePin",
  summary: "Removes the PIN; needs the PIN, or a sign-in at most five minutes old",
  access: "user",
  input: z.object({ current_pin: z.optional(pin) }),
  answer: z.object({ set: z.boolean() }),
  errors: ["session.required", ...pinErrors],
});

export const calls = { getPin, setPin, removePin };
