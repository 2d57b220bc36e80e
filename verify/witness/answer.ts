import type { Alarm } from "./state.ts";

/** An answer over HTTP: its status, content type and body. */
export interface Answer {
  status: number;
  type: string;
  body: string;
}

export function toDistrustAnswer({ what }: Alarm): Answer {
  return toTextAnswer(403, `this log is no longer trusted: ${what}\n`);
}

export function toTextAnswer(status: number, body: string): Answer {
  return { status, type: "text/plain; charset=utf-8", body };
}
