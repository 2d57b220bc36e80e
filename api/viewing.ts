import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { role } from "#api/operator/session.ts";
import { id, nothing, timeMs } from "#api/shapes.ts";

/**
 * A person's own side of being helped: the code that they read out, and who is looking at their
 * pages because of it. Real time.
 */

/** A support operator who was given a code, and sees what the person sees, read only. */
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
    "A code of eight letters to read out, good once and for ten minutes; one that was made before is good no more",
  access: "user",
  input: nothing,
  answer: z.object({ code: z.string(), expires_at_ms: timeMs, now_ms: timeMs }),
  errors: ["session.required"],
});

export const getViewings = defineCall({
  method: "GET",
  path: "/api/user/getViewings",
  summary: "Who is looking at this user's pages now, and whether a code waits to be used",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(viewing),
    /** Until when a code that was made is good; null: none waits. */
    code_until_ms: z.nullable(timeMs),
    now_ms: timeMs,
  }),
  errors: ["session.required"],
});

export const endViewings = defineCall({
  method: "POST",
  path: "/api/user/endViewings",
  summary: "Ends every viewing of this user's pages at once, and a code that waits with them",
  access: "user",
  input: nothing,
  answer: z.object({ ended: z.int() }),
  errors: ["session.required"],
});

export const calls = { makeViewCode, getViewings, endViewings };
