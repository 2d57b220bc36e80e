import { describe, expect, test } from "vitest";
import { isOwnHost, isOwnOrigin } from "#server/platform/http/hosts.ts";

const publicUrl = new URL("https://practice.example.org");

describe("isOwnHost", () => {
  test.each<[string, string, string | undefined, boolean]>([
    ["the public name is ours", "practice.example.org", "10.0.0.2", true],
    ["the public name in capitals is ours", "Practice.Example.org", "10.0.0.2", true],
    ["this machine's own name is ours", "localhost:8080", "127.0.0.1", true],
    ["a name that anybody on the network can take is not ours", "drydock.local", "10.0.0.2", false],
    ["a single word is not ours", "drydock", "10.0.0.2", false],
    ["an address of this machine is ours", "127.0.0.1:8080", "127.0.0.1", true],
    ["this machine's IPv6 address is ours", "[::1]:8080", "::1", true],
    [
      "the address that a phone on the network reached is ours",
      "192.168.1.4:8080",
      "192.168.1.4",
      true,
    ],
    [
      "the same address through an IPv6 socket is ours",
      "192.168.1.4:8080",
      "::ffff:192.168.1.4",
      true,
    ],
    ["a reached IPv6 address is ours", "[fd00::4]:8080", "fd00::4", true],
    ["a public address of another machine is not ours", "203.0.113.6", "10.0.0.2", false],
    ["a local address of another machine is not ours", "192.168.1.66:8080", "192.168.1.4", false],
    [
      "another machine's address passed on by a local proxy is not ours",
      "203.0.113.6",
      "127.0.0.1",
      false,
    ],
    ["an address is not ours if our own is unknown", "192.168.1.4", undefined, false],
    ["a foreign name is not ours", "evil.example", "10.0.0.2", false],
    ["an address with a path is not ours", "127.0.0.1/evil", "127.0.0.1", false],
    ["an address with a query is not ours", "127.0.0.1?evil.example", "127.0.0.1", false],
    ["an address behind a user is not ours", "evil.example@127.0.0.1", "127.0.0.1", false],
    ["two words are not ours", "a b", "127.0.0.1", false],
    ["nothing", "", "127.0.0.1", false],
  ])("%s", (_what, host, localAddress, ours) => {
    expect(isOwnHost(host, publicUrl, localAddress)).toBe(ours);
  });
});

describe("isOwnHost for a private name", () => {
  test.each<[string, URL | null, boolean]>([
    ["without PUBLIC_URL", null, true],
    ["beside a private PUBLIC_URL", new URL("https://drydock.lan"), true],
    ["beside a public PUBLIC_URL", publicUrl, false],
  ])("%s: %s", (_what, known, ours) => {
    expect(isOwnHost("class.local:8080", known, "10.0.0.2")).toBe(ours);
  });
});

describe("isOwnOrigin", () => {
  const name = "practice.example.org";
  test.each<[string, string, string, string, boolean]>([
    ["the public address is ours", name, "http", "https://practice.example.org", true],
    [
      "the public name under another scheme is not ours",
      name,
      "http",
      "http://practice.example.org",
      false,
    ],
    [
      "the public name on another port is not ours",
      name,
      "http",
      "https://practice.example.org:444",
      false,
    ],
    ["this machine over http is ours", "localhost:80", "http", "http://localhost", true],
    ["this machine over https is ours", "localhost:8080", "https", "https://localhost:8080", true],
    [
      "http is not ours when we serve https",
      "localhost:8080",
      "https",
      "http://localhost:8080",
      false,
    ],
    [
      "https is not ours when we serve http",
      "localhost:8080",
      "http",
      "https://localhost:8080",
      false,
    ],
    ["none", "localhost:8080", "http", "null", false],
  ])("%s", (_what, host, protocol, origin, ours) => {
    const headers = { host, protocol, origin, fetchSite: undefined };
    expect(isOwnOrigin(headers, publicUrl)).toBe(ours);
  });
});
