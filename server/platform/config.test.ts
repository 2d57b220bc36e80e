import { describe, expect, test } from "vitest";
import { helpText, isPrivateHost, readConfig } from "#server/platform/config.ts";
import { settings } from "#server/platform/settings.ts";

const operator = { OPERATOR_NAME: "Harbour club", OPERATOR_CONTACT: "desk@example.org" };

describe("readConfig refuses in one sentence that names the setting", () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ PORT: "eighty" }, /^PORT is wrong: it is a number from 0 to 65535\.$/],
    [{ PORT: "65536" }, /^PORT/],
    [{ PORT: "-1" }, /^PORT/],
    [{ HOST: "here and there" }, /^HOST/],
    [{ WORLD: "Harbour" }, /^WORLD is wrong/],
    [{ WORLD: "a".repeat(33) }, /^WORLD is wrong/],
    [{ WORLD: "a_b" }, /^WORLD is wrong/],
    [{ WORLD_SPEED: "0" }, /^WORLD_SPEED/],
    [{ WORLD_SPEED: "61" }, /^WORLD_SPEED/],
    [{ WORLD_SPEED: "1.5" }, /^WORLD_SPEED/],
    [{ WORLD_START: "yesterday" }, /^WORLD_START/],
    [{ WORLD_START: "2026-13-01" }, /^WORLD_START/],
    [{ MARKET: "live" }, /^MARKET is wrong: it is simulated, or replay: and the folder/],
    [{ PUBLIC_URL: "practice.example.org" }, /^PUBLIC_URL/],
    [{ PUBLIC_URL: "https://practice.example.org/app", ...operator }, /^PUBLIC_URL/],
    [{ PUBLIC_URL: "https://practice.example.org" }, /OPERATOR_NAME and OPERATOR_CONTACT must/],
    [{ PUBLIC_URL: "https://1.2.3.4", OPERATOR_NAME: "x" }, /OPERATOR_CONTACT must/],
    [{ SOCKET_URL: "https://practice.example.org" }, /^SOCKET_URL/],
    [{ CHAT_LINK: "javascript:alert(1)" }, /^CHAT_LINK/],
    [{ OPERATOR_CONTACT: "call me" }, /^OPERATOR_CONTACT/],
    [{ TLS_CERT: "/dev/null" }, /go together/],
    [{ TLS_CERT: "/none/here", TLS_KEY: "/dev/null" }, /^TLS_CERT .* \/none\/here cannot be read/],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL/],
    [{ DATABASE_URL: "postgres://app@db/x" }, /go together/],
    [
      { DATABASE_URL: "postgres://one@db/x", DATABASE_OWNER_URL: "postgres://one@db/x" },
      /name the same role/,
    ],
    [{ WORLD_CLOCK: "driven" }, /starts with test-/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL/],
  ])("%j", (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  test.each([
    [["--services=web,shop"], /^--services/],
    [["--fast"], /^--fast is not an option/],
  ])("%j", (args, message) => {
    expect(() => readConfig({}, args)).toThrow(message);
  });
});

describe("readConfig takes", () => {
  test("the defaults, and an empty variable as none", () => {
    expect(readConfig({ PORT: "", WORLD: " " })).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      world: "harbour",
      worldSpeed: null,
      market: null,
      services: ["web", "feed", "worker"],
    });
  });

  test("what is set", () => {
    const env = {
      PUBLIC_URL: "https://practice.example.org",
      ...operator,
      WORLD_START: "2026-02-03",
    };
    const config = readConfig(env, ["--services=worker,web"]);
    expect(config.publicUrl?.origin).toBe("https://practice.example.org");
    expect(config.worldStartMs).toBe(Date.UTC(2026, 1, 3));
    expect(config.services).toEqual(["web", "worker"]);
  });

  test("a private PUBLIC_URL without an operator", () => {
    expect(readConfig({ PUBLIC_URL: "http://192.168.1.4:8080" }).operator.name).toBeNull();
  });
});

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["172.20.0.3", true],
  ["172.32.0.3", false],
  ["[::1]", true],
  ["[fd00::1]", true],
  ["[2001:db8::1]", false],
  ["tug.local", true],
  ["example.org", false],
])("isPrivateHost(%s) is %s", (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});

test("--help lists every setting", () => {
  for (const name of Object.keys(settings)) expect(helpText()).toContain(`  ${name} `);
});
