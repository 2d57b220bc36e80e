/** The tools that a person learns to use here, and that would expose each of these cheats. */
export const tools = ["receipt", "log", "reader", "withdraw"] as const;
export type Tool = (typeof tools)[number];

/** How a part of a picture is drawn; what it says is `thief.<scene>.<number>`. */
export type Drawing =
  | "heading"
  | "line"
  | "figure"
  | "bubble"
  | "request"
  | "progress"
  | "tail"
  | "bars";

interface Part {
  drawing: Drawing;
  /** True if marking it sees through the cheat. */
  wrong: boolean;
}

export interface ThiefScene {
  id: string;
  parts: readonly [Part, Part, Part, Part];
  tool: Tool;
}

const honest = (drawing: Drawing): Part => ({ drawing, wrong: false });
const wrong = (drawing: Drawing): Part => ({ drawing, wrong: true });

/**
 * Screens of this app as a thief would build them, from the first order to the second scam. The
 * texts of each are `thief.<id>.title|1|2|3|4|seen|loss`; all figures in them are fixed.
 */
export const thiefScenes: readonly ThiefScene[] = [
  {
    id: "tail",
    parts: [honest("heading"), wrong("tail"), wrong("line"), honest("figure")],
    tool: "receipt",
  },
  {
    id: "gain",
    parts: [honest("heading"), wrong("bars"), honest("figure"), wrong("line")],
    tool: "log",
  },
  {
    id: "payout",
    parts: [wrong("bubble"), honest("figure"), wrong("line"), honest("line")],
    tool: "withdraw",
  },
  {
    id: "level",
    parts: [honest("heading"), honest("figure"), wrong("progress"), honest("line")],
    tool: "withdraw",
  },
  {
    id: "tax",
    parts: [honest("heading"), honest("line"), wrong("figure"), honest("line")],
    tool: "receipt",
  },
  {
    id: "stalled",
    parts: [honest("heading"), wrong("line"), wrong("figure"), honest("line")],
    tool: "log",
  },
  {
    id: "helper",
    parts: [wrong("bubble"), honest("line"), wrong("request"), honest("line")],
    tool: "reader",
  },
];

/** The number of a part, from 1; or nothing in the picture looked wrong. */
export type Mark = number | "nothing";

export function isSeenThrough({ parts }: ThiefScene, mark: Mark): boolean {
  return mark !== "nothing" && parts[mark - 1]?.wrong === true;
}

export const buildThiefPath = (scene: string) => `/help?view=thief&scene=${scene}`;
