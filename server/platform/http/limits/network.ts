import { BlockList, isIP } from "node:net";

/**
 * The network that a request comes from, as limits count it: an IPv4 address, or the /64 of an IPv6
 * address, all of which one household or one machine can use.
 */
export function toNetwork(ip: string): string {
  return truncateAddress(ip, 32, 64);
}

/**
 * The /48 of an IPv6 address, the most that one connection is given: without a limit on it, one
 * machine would have 65 536 networks. Null for IPv4.
 */
export function toSite(ip: string): string | null {
  const plain = unmapAddress(ip);
  return isIP(plain) === 6 ? truncateAddress(plain, 32, 48) : null;
}

/**
 * The part of an address that the log may contain: the /24 of an IPv4 address, the /48 of an IPv6
 * address.
 */
export function toLoggedNetwork(ip: string): string {
  return truncateAddress(ip, 24, 48);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Returns true if an address is this machine's own. */
export function isLoopbackAddress(ip: string): boolean {
  const plain = unmapAddress(ip);
  return isIP(plain) !== 0 && loopback.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
}

/** IPv4 clients of an IPv6 socket appear as `::ffff:192.0.2.1`. */
export function unmapAddress(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}

function truncateAddress(ip: string, bits4: 24 | 32, bits6: 48 | 64): string {
  const plain = unmapAddress(ip);
  switch (isIP(plain)) {
    case 4:
      return bits4 === 32 ? plain : `${plain.split(".").slice(0, 3).join(".")}.0/24`;
    case 6:
      return `${getGroups(plain)
        .slice(0, bits6 / 16)
        .map((group) => group.toString(16))
        .join(":")}::/${bits6}`;
    default:
      return "unknown";
  }
}

/** The eight groups of a valid IPv6 address. */
function getGroups(ip: string): number[] {
  // The zone and a dotted suffix can be ignored: neither is in the first four groups of an address
  // in use.
  const [head = "", tail] = ip
    .replace(/%.*$/, "")
    .replace(/[\d.]+\.\d+$/, "0:0")
    .split("::");
  const parseGroups = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [parseGroups(head), parseGroups(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...(tail === undefined ? [] : zeros), ...after].map((group) =>
    Number.parseInt(group, 16),
  );
}
