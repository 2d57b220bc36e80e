import { expect, test } from "vitest";
import { isLoopbackAddress, toLoggedNetwork, toNetwork, toSite } from "./network.ts";

test.each<[string, string, string | null, string]>([
  ["192.0.2.7", "192.0.2.7", null, "192.0.2.0/24"],
  ["::ffff:192.0.2.7", "192.0.2.7", null, "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8:1::/48"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48", "2001:db8:1::/48"],
  ["2001:DB8::1", "2001:db8:0:0::/64", "2001:db8:0::/48", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48", "fe80:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48", "0:0:0::/48"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64", "1:2:3::/48", "1:2:3::/48"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64", "64:ff9b:0::/48", "64:ff9b:0::/48"],
  ["", "unknown", null, "unknown"],
])("%s counts as %s of site %s and is logged as %s", (ip, network, site, logged) => {
  expect([toNetwork(ip), toSite(ip), toLoggedNetwork(ip)]).toEqual([network, site, logged]);
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["10.0.0.1", false],
  ["::2", false],
  ["", false],
])("isLoopbackAddress(%s) is %s", (ip, expected) => expect(isLoopbackAddress(ip)).toBe(expected));
