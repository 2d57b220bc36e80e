import { expect, test } from "vitest";
import { isLoopback } from "./isLoopback.ts";

test.each([
  ["127.0.0.1", true],
  ["localhost", true],
  ["class.localhost", true],
  ["[::1]", true],
  ["192.168.1.20", false],
  ["drydock.example.org", false],
])("%s is a loopback host: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
