import { type ClassTask, classTaskNames } from "#core/classes/tasks.ts";
import type { Translate } from "../browser/words.ts";
import type { RoomTotals } from "./console.ts";
import { callAsPupil, type Pupil, readOwnClass } from "./pupil.ts";

/** A pupil as the server knows them: what the teacher may see, and what no file may contain. */
export interface PupilFacts {
  number: number;
  doneTasks: ClassTask[];
  /** User id and address. */
  secrets: string[];
}

/** The facts of each pupil, read with their own sessions. */
export async function readFacts(pupils: readonly Pupil[]): Promise<PupilFacts[]> {
  return Promise.all(
    pupils.map(async (pupil) => {
      const ownClass = await readOwnClass(pupil);
      if (ownClass.number !== pupil.number)
        throw new Error(`The pupil of code ${pupil.number} joined as number ${ownClass.number}.`);
      const path = "/api/user/userinfo";
      const { data } = await callAsPupil<{ user_id: string; address: string }>(pupil, "POST", path);
      return {
        number: ownClass.number,
        doneTasks: ownClass.tasks.flatMap(({ task, done }) => (done ? [task] : [])),
        secrets: [data.user_id, data.address],
      };
    }),
  );
}

/** The columns of room view and export: the tasks under their titles. */
const titles = (say: Translate) => classTaskNames.map((task) => say(`class-room.task.${task}`));

/** The differences between the totals of the room view and the facts, each in a sentence. */
export function compareRoom(
  { headings, totals }: RoomTotals,
  facts: readonly PupilFacts[],
  say: Translate,
): string[] {
  const expected = [
    { heading: say("class-room.joined"), total: facts.length },
    ...classTaskNames.map((task, index) => ({
      heading: titles(say)[index] ?? "",
      total: facts.filter(({ doneTasks }) => doneTasks.includes(task)).length,
    })),
  ];
  const differences = expected.flatMap(({ heading, total }, index) =>
    headings[index] === heading && totals[index] === total
      ? []
      : [`the room view has ${headings[index]}: ${totals[index]}, the server ${heading}: ${total}`],
  );
  if (headings.length !== expected.length || totals.length !== expected.length)
    differences.push(`the room view has ${headings.length} columns, not ${expected.length}`);
  return differences;
}

interface ExportFile {
  text: string;
  /** How many codes the class has. */
  codes: number;
}

/** The number of rows of the export, and the differences between it and the facts. */
export function compareExport(
  { text, codes }: ExportFile,
  facts: readonly PupilFacts[],
  say: Translate,
): { rows: number; differences: string[] } {
  const [head = [], ...rows] = readCsv(text);
  const wantedHead = [
    "practice_only_no_value",
    "world",
    say("class-room.number"),
    say("class-room.joined"),
    ...titles(say),
  ];
  const differences =
    head.join("|") === wantedHead.join("|") ? [] : [`it begins ${head.join("|")}`];
  if (rows.length !== codes) differences.push(`it has ${rows.length} rows for ${codes} codes`);
  const yesOrNo = (is: boolean) => say(is ? "class-room.yes" : "class-room.no");
  rows.forEach(([_mark, _world, ...cells], index) => {
    const number = index + 1;
    const pupil = facts.find((item) => item.number === number);
    const expected = [
      String(number),
      yesOrNo(pupil !== undefined),
      ...classTaskNames.map((task) => yesOrNo(pupil?.doneTasks.includes(task) ?? false)),
    ];
    const [row, expectedText] = [cells.join("|"), expected.join("|")];
    if (row !== expectedText) differences.push(`row ${number} has ${row}, not ${expectedText}`);
  });
  if (/0x[0-9a-f]{40}/i.test(text)) differences.push("it holds an address");
  const lower = text.toLowerCase();
  const exposedPupils = facts.filter(({ secrets }) =>
    secrets.some((secret) => lower.includes(secret.toLowerCase())),
  );
  if (exposedPupils.length > 0) differences.push(`it names ${exposedPupils.length} accounts`);
  return { rows: rows.length, differences };
}

/** The rows of a file of RFC 4180 without line breaks in its cells. */
function readCsv(text: string): string[][] {
  const lines = text.replace(/^\uFEFF/, "").split("\r\n");
  return lines
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
}
