import { describe, expect, test } from "vitest";
import { hostIsOurs, originIsOurs } from "#server/platform/http/hosts.ts";

const publicUrl = new URL("https://practice.example.org");

describe("a Host header is ours", () => {
  test.each<[string, string, string | undefined, boolean]>([
    ["the public name", "practice.example.org", "10.0.0.2", true],
    ["the public name in capitals", "Practice.Example.org", "10.0.0.2", true],
    ["this machine's own name", "localhost:8080", "127.0.0.1", true],
    ["a name that anybody on the network can take", "drydock.local", "10.0.0.2", false],
    ["a single word", "drydock", "10.0.0.2", false],
    ["an address of this machine", "127.0.0.1:8080", "127.0.0.1", true],
    ["this machine by IPv6", "[::1]:8080", "::1", true],
    ["the address a phone on the network reached", "192.168.1.4:8080", "192.168.1.4", true],
    ["the same through an IPv6 socket", "192.168.1.4:8080", "::ffff:192.168.1.4", true],
    ["an IPv6 address it reached", "[fd00::4]:8080", "fd00::4", true],
    ["a public address that is not this machine's", "203.0.113.6", "10.0.0.2", false],
    ["the address of another machine of the network", "192.168.1.66:8080", "192.168.1.4", false],
    ["another machine's address passed on by a proxy here", "203.0.113.6", "127.0.0.1", false],
    ["an address, without knowing our own", "192.168.1.4", undefined, false],
    ["a foreign name", "evil.example", "10.0.0.2", false],
    ["an address with a path", "127.0.0.1/evil", "127.0.0.1", false],
    ["an address with a query", "127.0.0.1?evil.example", "127.0.0.1", false],
    ["an address behind a user", "evil.example@127.0.0.1", "127.0.0.1", false],
    ["two words", "a b", "127.0.0.1", false],
    ["nothing", "", "127.0.0.1", false],
  ])("%s", (_what, host, localAddress, ours) => {
    expect(hostIsOurs(host, publicUrl, localAddress)).toBe(ours);
  });
});

describe("a private name is ours", () => {
  test.each<[string, URL | null, boolean]>([
    ["without PUBLIC_URL", null, true],
    ["beside a private PUBLIC_URL", new URL("https://drydock.lan"), true],
    ["beside a public one", publicUrl, false],
  ])("%s: %s", (_what, known, ours) => {
    expect(hostIsOurs("class.local:8080", known, "10.0.0.2")).toBe(ours);
  });
});

describe("an origin is ours", () => {
  const name = "practice.example.org";
  test.each<[string, string, string, string, boolean]>([
    ["the public address", name, "http", "https://practice.example.org", true],
    ["its name under another scheme", name, "http", "http://practice.example.org", false],
    ["its name on another port", name, "http", "https://practice.example.org:444", false],
    ["this machine over http", "localhost:80", "http", "http://localhost", true],
    ["the same over https", "localhost:8080", "https", "https://localhost:8080", true],
    ["http while we speak https", "localhost:8080", "https", "http://localhost:8080", false],
    ["https while we speak http", "localhost:8080", "http", "https://localhost:8080", false],
    ["none", "localhost:8080", "http", "null", false],
  ])("%s", (_what, host, protocol, origin, ours) => {
    const headers = { host, protocol, origin, fetchSite: undefined };
    expect(originIsOurs(headers, publicUrl)).toBe(ours);
  });
});
