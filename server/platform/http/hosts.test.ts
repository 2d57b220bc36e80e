import { describe, expect, test } from "vitest";
import { hostIsOurs } from "#server/platform/http/hosts.ts";

const publicUrl = new URL("https://practice.example.org");

describe("a Host header is ours", () => {
  test.each<[string, string, string | undefined, boolean]>([
    ["the public name", "practice.example.org", "10.0.0.2", true],
    ["the public name in capitals", "Practice.Example.org", "10.0.0.2", true],
    ["a name of this machine", "localhost:8080", "127.0.0.1", true],
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
