import type { Witness } from "./witness.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const html = (text: string) => text.replace(/[&<>"]/g, (letter) => entities[letter] as string);

type WitnessStanding = Pick<Witness, "state" | "isDead" | "isWithheld" | "pausedBy">;

/** The status of the log: an alarm's name, or "grows" or "paused", which are not alarms. */
export function describeStatus({ state, isDead, isWithheld, pausedBy }: WitnessStanding) {
  if (state.alarm) return state.alarm.what;
  if (isWithheld) return "withheld";
  if (!isDead) return "grows";
  return pausedBy ? "paused" : "dead";
}

/** Returns true if the log's status is an alarm. */
export function isAlarming(witness: WitnessStanding): boolean {
  return !["grows", "paused"].includes(describeStatus(witness));
}

/** The log's status in one sentence. */
export function statusLine(witness: WitnessStanding): string {
  const { observed, cosigned, readTo, alarm } = witness.state;
  const { pausedBy } = witness;
  if (alarm) return `ALARM: the log is ${words[alarm.what]} (${alarm.detail}).`;
  switch (describeStatus(witness)) {
    case "withheld":
      return `ALARM: the log does not show what it signs; ${readTo} leaves were read.`;
    case "dead":
      return `ALARM: the log has stopped growing at ${observed.size} leaves, and no pause in the ${readTo} that were read explains it. A world that was asleep says so in a leaf when it wakes.`;
    case "paused":
      return `The log stands at ${observed.size} leaves: paused by the act in leaf ${pausedBy?.leaf}, from ${new Date(pausedBy?.atMs ?? 0).toISOString()} of world time.`;
    default:
      return `The log grows as it should: ${readTo} leaves read, ${cosigned.size} cosigned.`;
  }
}

const words = {
  forked: "forked",
  rolled_back: "rolled back",
  edited: "edited",
  accounts_fell: "leaving out accounts",
  succeeded: "ended and succeeded",
} as const;

/** The witness's page: the log's status, its start, and the key. */
export function statusPage(witness: Witness, url: string, vkey: string): string {
  const { state } = witness;
  const rows: [string, string][] = [
    ["Log", `${state.vkey} at ${url}`],
    ["Watched since", new Date(state.sinceMs).toISOString()],
    ["This witness", vkey],
    ["Last read", state.observed.note],
    ["Last cosigned", state.cosigned.note || "nothing yet"],
    ...(state.alarm ?? { evidence: [] }).evidence.map((note): [string, string] => [
      "Evidence",
      note,
    ]),
  ];
  const isAlarmed = isAlarming(witness);
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="10">
<title>${isAlarmed ? "ALARM" : "Witness"}</title>
<style>body{font:16px/1.5 system-ui;margin:2rem;max-width:60rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}
h1{${isAlarmed ? "color:#b00020" : ""}}</style>
<h1>${html(statusLine(witness))}</h1>
<dl>${rows.map(([head, value]) => `<dt><b>${html(head)}</b></dt><dd><pre>${html(value)}</pre></dd>`).join("\n")}</dl>
</html>
`;
}
