import { expect, test } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import type { WorldEntry } from "#server/platform/worlds/directory.ts";
import { configOfEntry, getNamedWorld, getWorldOrigin } from "./worldAddress.ts";

const entry: WorldEntry = {
  name: "class-7b",
  code: "ABCDEFGH",
  state: "awake",
  port: 8081,
  settings: { WORLD_SPEED: "60" },
  madeAtMs: 0,
  sleptAtMs: null,
  removalAsked: false,
  removeAfterMs: null,
};
const operator = { OPERATOR_NAME: "A school", OPERATOR_CONTACT: "it@school.example" };
const publicSettings = { PUBLIC_URL: "https://practice.example.org", ...operator };

test.each([
  [{}, "http://192.168.1.20:8081"],
  [{ PUBLIC_URL: "http://192.168.1.20:8080" }, "http://192.168.1.20:8081"],
  [{ PUBLIC_URL: "http://tug.lan:8080" }, "http://tug.lan:8081"],
  [{ PUBLIC_URL: "https://203.0.113.7", ...operator }, "https://203.0.113.7:8081"],
  [publicSettings, "https://class-7b.practice.example.org"],
  [
    { ...publicSettings, PUBLIC_URL: "https://practice.example.org:8443" },
    "https://class-7b.practice.example.org:8443",
  ],
])("with %j a world's address is %s", (settings, origin) => {
  expect(getWorldOrigin(readConfig(settings), entry, "192.168.1.20")).toBe(origin);
});

test.each([
  ["class-7b.localhost:8080", "class-7b"],
  ["class-7b.practice.example.org", "class-7b"],
  ["a.class-7b.practice.example.org", null],
  ["practice.example.org", null],
  ["practice.example.org.evil.example", null],
  ["localhost:8080", null],
  ["192.168.1.20:8080", null],
  ["", null],
])("host %j selects world %j", (host, name) => {
  expect(getNamedWorld({ headers: { host } }, readConfig(publicSettings))).toBe(name);
});

test("a world's own settings, address and cookie override the program's", () => {
  const program = readConfig({
    ...publicSettings,
    WORLD_SPEED: "2",
    SOCKET_URL: "wss://a.example/ws",
  });
  expect(program.sessionCookie).toBe("w1Token");
  const config = configOfEntry(program, entry);
  expect(config).toMatchObject({
    world: "class-7b",
    worldSpeed: 60,
    market: null,
    port: 8081,
    sessionCookie: "w1Token_class-7b",
    servesDirectory: false,
    socketUrl: null,
    operator: { name: "A school", contact: "it@school.example" },
  });
  expect(config.publicUrl?.origin).toBe("https://class-7b.practice.example.org");
});
