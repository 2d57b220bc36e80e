import { expect, test } from "vitest";
import { dayMs } from "#core/money/time.ts";
import { formatReminderCalendar } from "#web/screens/help/sitting/calendar.ts";

const firstAtMs = Date.UTC(2026, 10, 23, 13, 30);
const url = "https://dock.example/help?view=sitting";
const title = (days: number) => `Day ${days}: honest, or a scam?`;

test("the file has a whole day 21 and 90 days after the first lesson, and no address", () => {
  expect(formatReminderCalendar(firstAtMs, firstAtMs, { title, url }).split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Drydock//Lesson//EN",
    "BEGIN:VEVENT",
    "UID:sitting-21-20261123@dock.example",
    "DTSTAMP:20261123T133000Z",
    "DTSTART;VALUE=DATE:20261214",
    "DTEND;VALUE=DATE:20261215",
    "SUMMARY:Day 21: honest\\, or a scam?",
    `URL:${url}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "BEGIN:VEVENT",
    "UID:sitting-90-20261123@dock.example",
    "DTSTAMP:20261123T133000Z",
    "DTSTART;VALUE=DATE:20270221",
    "DTEND;VALUE=DATE:20270222",
    "SUMMARY:Day 90: honest\\, or a scam?",
    `URL:${url}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("a day that has passed is left out", () => {
  const file = formatReminderCalendar(firstAtMs, firstAtMs + 21 * dayMs, { title, url });
  expect(file.match(/DTSTART.*/g)).toEqual(["DTSTART;VALUE=DATE:20270221"]);
});

test("lines are folded after at most 75 octets, never inside a character", () => {
  const long = "正派還是詐騙".repeat(12);
  const file = formatReminderCalendar(firstAtMs, firstAtMs, { title: () => long, url });
  const octets = file.split("\r\n").map((line) => new TextEncoder().encode(line).length);
  expect(Math.max(...octets)).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(`SUMMARY:${long}\r\n`);
});
