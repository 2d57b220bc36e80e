/**
 * Loaded into a Node of the drill (`--import`): its clock differs from the machine's by the number
 * of milliseconds in the file DRILL_CLOCK, so that one machine of several on one computer can be
 * wrong. The monotonic clock stays right, as where an administrator sets the time.
 */
import { readFileSync } from "node:fs";

const path = process.env.DRILL_CLOCK ?? "";
/** A clock is read thousands of times a second, and the file ten times. */
const readEveryMs = 100;
const rightMs = Date.now.bind(Date);
let offsetMs = 0;
let readAtMs = Number.NEGATIVE_INFINITY;

Date.now = () => {
  if (performance.now() - readAtMs > readEveryMs) {
    readAtMs = performance.now();
    offsetMs = Number(readFileSync(path, "utf8"));
  }
  return rightMs() + offsetMs;
};
