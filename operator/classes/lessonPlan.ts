/** A part of a lesson; its texts are `lesson-plan.<activity>.do` and `.ask`. */
type Activity =
  | "join"
  | "order"
  | "lease"
  | "pool"
  | "pauseCoin"
  | "pausePower"
  | "pauseCalm"
  | "offers"
  | "thousand"
  | "receipt"
  | "withdraw"
  | "debrief";

interface PlanStep {
  /** Minutes after the first press. */
  from: number;
  to: number;
  activity: Activity;
}

/** The two activities after joining, in which templates differ. */
const middles = {
  "usdc-2023": ["order", "pauseCoin"],
  "mining-month": ["lease", "pausePower"],
  "calm-fortnight": ["pool", "pauseCalm"],
  blank: ["order", "offers"],
} as const satisfies Readonly<Record<string, readonly [Activity, Activity]>>;

/** A template of a world (core/market/templates.ts) that a lesson is planned for. */
export type PlannedTemplate = keyof typeof middles;
export const plannedTemplates = Object.keys(middles) as PlannedTemplate[];

/**
 * The world of a lesson: at speed 60 the 45 minutes are 45 hours, in which a recording reaches what
 * it is about and a lease is paid at least once.
 */
export function formatCreateCommand(template: PlannedTemplate): string {
  const speed = template === "blank" ? "" : " --speed 60";
  return `npm run worlds -- create class-8a --template ${template}${speed}`;
}

/** Forty-five minutes, without a gap. */
export function planLesson(template: PlannedTemplate): readonly PlanStep[] {
  const [first, second] = middles[template];
  return [
    { from: 0, to: 5, activity: "join" },
    { from: 5, to: 12, activity: first },
    { from: 12, to: 20, activity: second },
    { from: 20, to: 25, activity: "thousand" },
    { from: 25, to: 30, activity: "receipt" },
    { from: 30, to: 35, activity: "withdraw" },
    { from: 35, to: 45, activity: "debrief" },
  ];
}
