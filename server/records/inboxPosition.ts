import { ApiError } from "#server/platform/apiError.ts";
import { type Positions, parseCursor, writeCursor } from "#server/records/cursor.ts";

/** The order of events: by world time, then by id. */
export interface EventPosition {
  atMs: number;
  id: string;
}

export interface InboxPosition {
  cursor: string;
  walk: Positions;
  /** The last event passed; null: none yet. */
  place: EventPosition | null;
}

/** A cursor of the records, then world time in base 36 and id of an event. */
export function writePosition(walk: Positions, eventPosition: EventPosition | null): string {
  const event =
    eventPosition === null ? "" : `~${eventPosition.atMs.toString(36)}~${eventPosition.id}`;
  return `${writeCursor(walk)}${event}`;
}

/** Throws `request.malformed` for anything but a position of ours. */
export function parsePosition(text: string): InboxPosition {
  const [cursor = "", atMs, id, ...rest] = text.split("~");
  const walk = parseCursor(cursor);
  if (atMs === undefined) return { cursor, walk, place: null };
  const isWellFormed =
    /^[0-9a-z]{1,10}$/.test(atMs) && id !== undefined && /^[0-9a-f-]{36}$/.test(id);
  if (!isWellFormed || rest.length > 0)
    throw new ApiError("request.malformed", { field: "before" });
  return { cursor, walk, place: { atMs: Number.parseInt(atMs, 36), id } };
}

export function isLater(a: EventPosition, b: EventPosition): boolean {
  return a.atMs === b.atMs ? a.id > b.id : a.atMs > b.atMs;
}
