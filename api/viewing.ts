import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { role } from "#api/operator/session.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";

/**
 * A person's own side of support: the code they read out, and who views their pages because of it.
 * Real time.
 */

/** A support operator who was given a code and sees the person's pages, read only. */
const viewing = z.object({
  viewing_id: id,
  role,
  opened_at_ms: timeMs,
  ends_at_ms: timeMs,
});

export const makeViewCode = defineCall({
  method: "POST",
  path: "/api/user/makeViewCode",
  summary:
    "A code of eight letters to read out, valid once and for ten minutes; an earlier code becomes invalid",
  access: "user",
  input: nothing,
  answer: z.object({ code: z.string(), expires_at_ms: timeMs, now_ms: timeMs }),
  errors: ["session.required"],
});

export const getViewings = defineCall({
  method: "GET",
  path: "/api/user/getViewings",
  summary: "Who is viewing this user's pages now, and whether a code is waiting to be used",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(viewing),
    /** Until when the current code is valid; null if there is none. */
    code_until_ms: z.nullable(timeMs),
    now_ms: timeMs,
  }),
  errors: ["session.required"],
});

export const endViewings = defineCall({
  method: "POST",
  path: "/api/user/endViewings",
  summary: "Ends every viewing of this user's pages at once, and cancels an unused code",
  access: "user",
  input: nothing,
  answer: z.object({ ended: z.int() }),
  errors: ["session.required"],
});

export const calls = { makeViewCode, getViewings, endViewings };
