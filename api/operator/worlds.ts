import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { nothing, timeMs } from "#api/shapes.ts";
import { worldTemplates } from "#core/market/templates.ts";

const commonErrors = ["session.required", "operator.required", "operator.not_permitted"] as const;
const changes = [...commonErrors, "operator.raise_required", "worlds.not_here"] as const;

/** A name in the form of the setting WORLD. */
const name = z.string().check(z.regex(/^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/));

const world = z.object({
  name,
  /** The code that people type at the world finder. */
  code: z.string(),
  state: z.enum(["awake", "asleep", "archived"]),
  /** True for the world of this console, which none of the calls below changes. */
  main: z.boolean(),
  address: z.string(),
  made_at_ms: timeMs,
  /** Real time at which it last fell asleep; null: never. */
  slept_at_ms: z.nullable(timeMs),
  /** Real time from which it may be removed; null until the people in it have had notice. */
  remove_after_ms: z.nullable(timeMs),
});
export type WorldView = z.infer<typeof world>;

export const getWorlds = defineCall({
  method: "GET",
  path: "/api/operator/getWorlds",
  summary:
    "The worlds of this program, by age; `here` is false, and there are none, in every console but the main world's",
  access: "operator",
  permission: "instance.worlds",
  input: nothing,
  answer: z.object({ here: z.boolean(), items: z.array(world) }),
  errors: [...commonErrors],
});

export const createWorld = defineCall({
  method: "POST",
  path: "/api/operator/createWorld",
  summary: "Makes a world from a template, at another speed or start if one is given",
  access: "operator",
  permission: "instance.worlds",
  input: z.object({
    name,
    template: z.enum(worldTemplates.map((worldTemplate) => worldTemplate.name)),
    /** World seconds per real second; null: the template's. */
    speed: z.nullable(z.int().check(z.minimum(1), z.maximum(60))),
    /** The UTC day on which world time begins; null: the template's, or now. */
    start: z.nullable(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
  }),
  answer: world,
  errors: [
    ...changes,
    "worlds.name_taken",
    "worlds.full",
    "worlds.recording_missing",
    "worlds.start_wrong",
  ],
});

export const setWorldState = defineCall({
  method: "POST",
  path: "/api/operator/setWorldState",
  summary:
    "Has a world fall asleep (unless somebody is in it or something runs there), wakes it, or closes it until it is woken",
  access: "operator",
  permission: "instance.worlds",
  input: z.object({ name, state: z.enum(["awake", "asleep", "archived"]) }),
  answer: nothing,
  errors: [...changes, "worlds.unknown", "worlds.already_so", "worlds.full", "worlds.never_sleeps"],
});

export const removeWorld = defineCall({
  method: "POST",
  path: "/api/operator/removeWorld",
  summary:
    "Gives those in a world thirty days' notice; after that, or if nobody ever signed in to it, removes it with everything of it",
  access: "operator",
  permission: "instance.worlds",
  input: z.object({ name }),
  answer: z.object({ what: z.enum(["give_notice", "remove"]) }),
  errors: [...changes, "worlds.unknown", "worlds.notice_runs", "worlds.full"],
});

export const exportWorld = defineCall({
  method: "GET",
  path: "/api/operator/exportWorld",
  summary: "What a world published, as one file (docs/formats/archive.md)",
  access: "operator",
  permission: "instance.worlds",
  input: z.object({ name }),
  answer: nothing,
  file: ["application/x-tar"],
  errors: [...commonErrors, "worlds.not_here", "worlds.unknown", "worlds.nothing_signed"],
});

export const calls = { getWorlds, createWorld, setWorldState, removeWorld, exportWorld };
