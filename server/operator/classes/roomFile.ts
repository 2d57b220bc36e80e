import type { ClassTask } from "#core/classes/tasks.ts";
import { toCsvCell } from "#server/operator/csv.ts";

/** The tasks of a class and which are done, by the numbers of its codes. */
export interface Room {
  tasks: ClassTask[];
  codes: { number: number; joined: boolean; done: ClassTask[] }[];
}

/** UTF-8 for spreadsheets that would otherwise guess. */
const byteOrderMark = "\uFEFF";

/**
 * The room view as CSV: one row per code, one column per task under its title. `say` gives the text
 * of a key in the reader's language. Every row carries the practice mark.
 */
export function writeRoomFile(
  world: string,
  { tasks, codes }: Room,
  say: (key: string) => string,
): string {
  const yesOrNo = (is: boolean) => say(is ? "yes" : "no");
  const head = [
    "practice_only_no_value",
    "world",
    say("number"),
    say("joined"),
    ...tasks.map((task) => say(`task.${task}`)),
  ];
  const rows = codes.map(({ number, joined, done }) => [
    "practice, backed by nothing",
    world,
    String(number),
    yesOrNo(joined),
    ...tasks.map((task) => yesOrNo(done.includes(task))),
  ]);
  const lines = [head, ...rows].map((cells) => cells.map(toCsvCell).join(","));
  return `${byteOrderMark}${lines.join("\r\n")}\r\n`;
}
