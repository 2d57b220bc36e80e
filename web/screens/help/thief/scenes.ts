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
  /** True if marking this part exposes the cheat. */
  wrong: boolean;
}

export interface ThiefScene {
  id: string;
  parts: readonly [Part, Part, Part, Part];
  tool: Tool;
}

const honestPart = (drawing: Drawing): Part => ({ drawing, wrong: false });
const wrongPart = (drawing: Drawing): Part => ({ drawing, wrong: true });

/**
 * Screens of this app as a thief would build them, from the first order to the second scam. The
 * texts of each are `thief.<id>.title|1|2|3|4|seen|loss`; all figures in them are fixed.
 */
export const thiefScenes: readonly ThiefScene[] = [
  {
    id: "tail",
    parts: [honestPart("heading"), wrongPart("tail"), wrongPart("line"), honestPart("figure")],
    tool: "receipt",
  },
  {
    id: "gain",
    parts: [honestPart("heading"), wrongPart("bars"), honestPart("figure"), wrongPart("line")],
    tool: "log",
  },
  {
    id: "payout",
    parts: [wrongPart("bubble"), honestPart("figure"), wrongPart("line"), honestPart("line")],
    tool: "withdraw",
  },
  {
    id: "level",
    parts: [honestPart("heading"), honestPart("figure"), wrongPart("progress"), honestPart("line")],
    tool: "withdraw",
  },
  {
    id: "tax",
    parts: [honestPart("heading"), honestPart("line"), wrongPart("figure"), honestPart("line")],
    tool: "receipt",
  },
  {
    id: "stalled",
    parts: [honestPart("heading"), wrongPart("line"), wrongPart("figure"), honestPart("line")],
    tool: "log",
  },
  {
    id: "helper",
    parts: [wrongPart("bubble"), honestPart("line"), wrongPart("request"), honestPart("line")],
    tool: "reader",
  },
];

/** The number of a part, from 1; or nothing in the picture looked wrong. */
export type Mark = number | "nothing";

export function isSeenThrough({ parts }: ThiefScene, mark: Mark): boolean {
  return mark !== "nothing" && parts[mark - 1]?.wrong === true;
}

export const buildThiefPath = (scene: string) => `/help?view=thief&scene=${scene}`;
