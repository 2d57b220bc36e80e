import { computeOfferMs, type OfferDays, offerDays } from "#core/lesson/offers.ts";
import { dayMs } from "#core/money/time.ts";

/** A line of an iCalendar file is folded after 75 octets (RFC 5545, 3.1). */
const lineMax = 75;

export interface ReminderText {
  /** The name of the event. */
  title: (days: OfferDays) => string;
  /** Where the sitting is taken. */
  url: string;
}

/**
 * A calendar file with the coming days on which a sitting is offered, 21 and 90 days after
 * `firstAtMs`, as events of a whole day (RFC 5545). It is made and kept by the reader: no address
 * is asked for and nothing is sent.
 */
export function formatReminderCalendar(
  firstAtMs: number,
  nowMs: number,
  { title, url }: ReminderText,
): string {
  const events = offerDays.flatMap((days) => {
    const atMs = computeOfferMs(firstAtMs, days);
    if (atMs <= nowMs) return [];
    return [
      "BEGIN:VEVENT",
      `UID:sitting-${days}-${toDate(firstAtMs)}@${new URL(url).hostname}`,
      `DTSTAMP:${toStamp(nowMs)}`,
      `DTSTART;VALUE=DATE:${toDate(atMs)}`,
      `DTEND;VALUE=DATE:${toDate(atMs + dayMs)}`,
      `SUMMARY:${escapeText(title(days))}`,
      `URL:${url}`,
      "TRANSP:TRANSPARENT",
      "END:VEVENT",
    ];
  });
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Drydock//Lesson//EN",
    ...events,
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

const toDate = (atMs: number) => new Date(atMs).toISOString().slice(0, 10).replaceAll("-", "");
const toStamp = (atMs: number) => new Date(atMs).toISOString().replace(/[-:]|\.\d+/g, "");

/** Commas, semicolons, backslashes and line ends have special meanings in a text. */
const escapeText = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Folds between characters, never inside the octets of one. */
const encoder = new TextEncoder();
function fold(line: string): string {
  let out = "";
  let octets = 0;
  for (const char of line) {
    const size = encoder.encode(char).length;
    if (octets + size > lineMax) {
      out += "\r\n ";
      octets = 1;
    }
    out += char;
    octets += size;
  }
  return out;
}
