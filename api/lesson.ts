import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { nothing, timeMs } from "#api/shapes.ts";
import { uuidPattern } from "#core/ledger/uuid.ts";
import { choices, sceneNames } from "#core/lesson/scenes.ts";

const choice = z.enum(choices);
/** One choice for each of the six scenes. */
const answers = z.object(
  Object.fromEntries(sceneNames.map((scene) => [scene, choice])) as Record<
    (typeof sceneNames)[number],
    typeof choice
  >,
);

const run = z.object({
  finished_at_ms: timeMs,
  /** Scenes in which nothing was risked, of `scenes`. */
  sound: z.int(),
});

const state = z.object({
  scenes: z.int(),
  /** When it was first finished, and each repetition; newest first, at most 100. */
  runs: z.array(run),
  /**
   * The repetition that is offered now: 30 or 90 days of real time have passed since the first
   * finishing.
   */
  offered: z.nullable(z.enum(["30", "90"])),
  next_offer_at_ms: z.nullable(timeMs),
});

export const getLesson = defineCall({
  method: "GET",
  path: "/api/lesson/getLesson",
  summary: "When this user finished the first lesson, and whether a repetition is offered",
  access: "user",
  input: nothing,
  answer: state,
  errors: ["session.required"],
});

export const finishLesson = defineCall({
  method: "POST",
  path: "/api/lesson/finishLesson",
  summary:
    "Keeps a finished lesson under an id made by the client; the same id again gives the result that was kept. At most 20 a real day",
  access: "user",
  input: z.object({
    run_id: z.string().check(z.regex(uuidPattern)),
    answers,
  }),
  answer: run,
  errors: ["session.required", "lesson.too_many"],
});

export const calls = { getLesson, finishLesson };
