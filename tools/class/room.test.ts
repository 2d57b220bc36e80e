import { expect, test } from "vitest";
import { classTaskNames } from "#core/classes/tasks.ts";
import { writeRoomFile } from "#server/operator/classes/roomFile.ts";
import { loadTranslate } from "../browser/words.ts";
import { compareExport, compareRoom, type PupilFacts } from "./room.ts";

const say = loadTranslate("en");
const address = `0x${"ab".repeat(20)}`;
const facts: PupilFacts[] = [
  { number: 1, doneTasks: ["order", "withdraw"], secrets: ["user-one", address] },
  { number: 2, doneTasks: ["order"], secrets: ["user-two", `0x${"cd".repeat(20)}`] },
];

/** The file that the server writes for three codes of which two joined. */
const roomFile = writeRoomFile(
  "class",
  {
    tasks: [...classTaskNames],
    codes: [
      ...facts.map(({ number, doneTasks }) => ({ number, joined: true, done: doneTasks })),
      { number: 3, joined: false, done: [] },
    ],
  },
  (key) => say(`class-room.${key}`),
);

test("the export of the server agrees with its facts", () => {
  const file = { text: roomFile, codes: 3 };
  expect(compareExport(file, facts, say)).toEqual({ rows: 3, differences: [] });
});

test.each([
  ["a code without a row", roomFile, 4],
  ["a pupil who did not join", roomFile.replace(",1,Yes", ",1,No"), 3],
  ["a task that was not done", roomFile.replace("2,Yes,Yes", "2,Yes,No"), 3],
  ["another heading", roomFile.replace("Has joined", "Joined"), 3],
  ["an address", `${roomFile}practice,class,${address}\r\n`, 4],
  ["an account id", roomFile.replace("class,2", "user-two,2"), 3],
])("an export with %s is found out", (_title, text, codes) => {
  expect(compareExport({ text, codes }, facts, say).differences).not.toEqual([]);
});

test("totals of the room view are compared column by column", () => {
  const headings = [
    say("class-room.joined"),
    ...classTaskNames.map((task) => say(`class-room.task.${task}`)),
  ];
  const totals = [2, 2, 0, 0, 0, 0, 0, 1];
  expect(compareRoom({ headings, totals }, facts, say)).toEqual([]);
  expect(compareRoom({ headings, totals: [2, 1, 0, 0, 0, 0, 0, 1] }, facts, say)).toHaveLength(1);
  expect(compareRoom({ headings: headings.slice(1), totals }, facts, say)).not.toEqual([]);
  expect(compareRoom({ headings, totals: [...totals, 0] }, facts, say)).toHaveLength(1);
});
