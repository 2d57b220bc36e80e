/** How an order ended. */
export type Outcome = "won" | "lost" | "tie" | "void";

/** Both endings take the same time and cover the same distance. */
export const endingMs = 600;
const travel = 9;

/** How far the water in the dock moves, in units of the drawing; negative is up. */
export function computeWaterOffset(outcome: Outcome): number {
  return { won: -travel, lost: travel, tie: 0, void: 0 }[outcome];
}
