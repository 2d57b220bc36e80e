import * as z from "zod/mini";
import { defineCall } from "#api/call.ts";
import { id, nothing, symbol, timeMs } from "#api/shapes.ts";
import { confidenceLimits, reasonMax } from "#core/beliefs/calibration.ts";

/**
 * How sure a person was before an order or a subscription, and why. Always optional, in no receipt,
 * and not part of the order (docs/rules/beliefs.md).
 */
const kind = z.enum(["order", "subscription"]);

const belief = z.object({
  order_id: id,
  kind,
  /** In whole percent, 50 to 100: that it wins, or that the units are worth more after a week. */
  confidence: z.int(),
  reason: z.nullable(z.string()),
  /** World time of the order. */
  stated_at_ms: timeMs,
  /** open: not known yet; none: a tie, a void, or returned money. */
  outcome: z.enum(["open", "right", "wrong", "none"]),
  /** The market of an order with its direction; null for a subscription. */
  market: z.nullable(z.object({ symbol, direction: z.enum(["up", "down"]) })),
  product_id: z.nullable(id),
});
export type Belief = z.infer<typeof belief>;

export const stateBelief = defineCall({
  method: "POST",
  path: "/api/belief/stateBelief",
  summary:
    "Keeps how sure the person is of an order or a subscription they have just placed; the first statement counts",
  access: "user",
  input: z.object({
    kind,
    order_id: id,
    confidence: z.coerce
      .number()
      .check(z.int(), z.minimum(confidenceLimits.min), z.maximum(confidenceLimits.max)),
    reason: z.optional(z.string().check(z.maxLength(reasonMax))),
  }),
  answer: nothing,
  errors: ["session.required", "beliefs.unknown", "beliefs.too_late"],
});

export const removeBelief = defineCall({
  method: "POST",
  path: "/api/belief/removeBelief",
  summary: "Deletes a belief with its reason; the order stays as it is",
  access: "user",
  input: z.object({ order_id: id }),
  answer: nothing,
  errors: ["session.required", "beliefs.unknown"],
});

export const getBeliefs = defineCall({
  method: "GET",
  path: "/api/belief/getBeliefs",
  summary: "The current attempt's newest 200 beliefs beside their outcomes, and their calibration",
  access: "user",
  input: nothing,
  answer: z.object({
    items: z.array(belief),
    /** Over beliefs that were right or wrong; null if there are none. */
    calibration: z.nullable(
      z.object({
        count: z.int(),
        right: z.int(),
        /** The Brier score in ten-thousandths; always saying 50 % gives 2 500. */
        brier: z.int(),
        /** The number of right beliefs that the stated confidences predict, in hundredths. */
        expected: z.int(),
        /** From ten on: how often coin flips are right at least as often, in basis points. */
        luck_bp: z.nullable(z.int()),
        steps: z.array(
          z.object({
            from: z.int(),
            to: z.int(),
            count: z.int(),
            right: z.int(),
            stated_bp: z.int(),
          }),
        ),
      }),
    ),
  }),
  errors: ["session.required"],
});

const classConsent = z.object({
  /** False for a person who has not joined a class and so has nothing to agree to. */
  in_class: z.boolean(),
  /** Real time; null unless they agreed. */
  agreed_at_ms: z.nullable(timeMs),
});

export const getClassConsent = defineCall({
  method: "GET",
  path: "/api/belief/getClassConsent",
  summary: "Whether the person's class may count how sure they were, never why",
  access: "user",
  input: nothing,
  answer: classConsent,
  errors: ["session.required"],
});

export const setClassConsent = defineCall({
  method: "POST",
  path: "/api/belief/setClassConsent",
  summary:
    "Lets the person's class count how sure they were beside what came of it, over five people at least, or no longer",
  access: "user",
  input: z.object({ agreed: z.boolean() }),
  answer: classConsent,
  errors: ["session.required", "beliefs.no_class"],
});

export const calls = { stateBelief, removeBelief, getBeliefs, getClassConsent, setClassConsent };
