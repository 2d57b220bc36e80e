import type { Call } from "#api/call.ts";

/**
 * Real milliseconds from the arrival of a request's headers until its answer has been handed over;
 * after that it is refused as `server.unavailable`, or an answer already begun is cut. Work that a
 * refused request has begun continues: a call that moves money is asked again with its key.
 */
export const timeLimits = {
  /** A call. */
  call: 10_000,
  /** A call with a picture: three minutes for its bytes, and its turn with the decoder. */
  upload: 240_000,
  /** A call that answers a file, written while it is read from the database. */
  file: 600_000,
  /** A file of the web app, to a slow phone. */
  page: 180_000,
} as const;

export function getTimeLimit({ upload, file }: Call): number {
  if (upload) return timeLimits.upload;
  return file ? timeLimits.file : timeLimits.call;
}
