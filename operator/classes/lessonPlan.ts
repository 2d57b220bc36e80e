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
  startMinute: number;
  endMinute: number;
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

/** The world that a lesson is planned for. */
interface PlannedWorld {
  /** World seconds per real second. */
  speed: number;
  /** The UTC day on which its time begins; null: the template's own first day. */
  start: string | null;
}

/**
 * The world of a lesson: at speed 60 the 45 minutes are 45 hours, in which a lease is paid at least
 * once. USDC begins to fall in the first hours of 11 March 2023, and is far below a dollar when the
 * class looks at it (core/market/replay/presets.ts).
 */
export function planWorld(template: PlannedTemplate): PlannedWorld {
  return {
    speed: template === "blank" ? 1 : 60,
    start: template === "usdc-2023" ? "2023-03-11" : null,
  };
}

/** The command that creates the world. */
export function formatCreateCommand(template: PlannedTemplate): string {
  const { speed, start } = planWorld(template);
  const options = [
    speed === 1 ? "" : ` --speed ${speed}`,
    start === null ? "" : ` --start ${start}`,
  ];
  return `npm run worlds -- create class-8a --template ${template}${options.join("")}`;
}

/** Forty-five minutes, without a gap. */
export function planLesson(template: PlannedTemplate): readonly PlanStep[] {
  const [first, second] = middles[template];
  return [
    { startMinute: 0, endMinute: 5, activity: "join" },
    { startMinute: 5, endMinute: 12, activity: first },
    { startMinute: 12, endMinute: 20, activity: second },
    { startMinute: 20, endMinute: 25, activity: "thousand" },
    { startMinute: 25, endMinute: 30, activity: "receipt" },
    { startMinute: 30, endMinute: 35, activity: "withdraw" },
    { startMinute: 35, endMinute: 45, activity: "debrief" },
  ];
}
