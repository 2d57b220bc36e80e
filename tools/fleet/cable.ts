import { spawnSync } from "node:child_process";

/** A separate network for a machine, joined to this computer by a cable that can be cut. */
export interface Cable {
  /** This computer's address on it. */
  readonly address: string;
  /** The machine's address on it. */
  readonly machineAddress: string;
  /** The beginning of a command that runs on the machine. */
  readonly prefix: readonly string[];
  /** Drops every packet in both directions; neither end is notified. */
  cut(): void;
  mend(): void;
  remove(): void;
}

/** The address of no device: everything sent to it is dropped at the other end. */
const nobody = "02:00:00:00:00:fe";

/**
 * Creates one with a Linux network namespace, which needs root and iproute2; returns null where
 * that is unavailable. Its addresses are in 198.18.0.0/15, which RFC 2544 reserves for tests.
 */
export function layCable(): Cable | null {
  const name = `drydock-${process.pid}`;
  const [near, far] = [`dd${process.pid}n`, `dd${process.pid}f`];
  const prefix = `198.18.${process.pid % 256}`;
  const [address, machineAddress] = [`${prefix}.1`, `${prefix}.2`];
  const remove = () => {
    // The other end of the pair is removed with the namespace.
    spawnSync("ip", ["netns", "del", name]);
  };
  if (spawnSync("ip", ["netns", "add", name]).status !== 0) return null;
  process.once("exit", remove);
  try {
    ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
    ip("addr", "add", `${address}/30`, "dev", near);
    ip("link", "set", near, "up");
    ip("-n", name, "addr", "add", `${machineAddress}/30`, "dev", far);
    ip("-n", name, "link", "set", far, "up");
    ip("-n", name, "link", "set", "lo", "up");
  } catch (error) {
    remove();
    throw error;
  }
  const ends = [
    { at: [], neighbour: machineAddress, device: near },
    { at: ["-n", name], neighbour: address, device: far },
  ];
  return {
    address,
    machineAddress,
    prefix: ["ip", "netns", "exec", name],
    cut: () => {
      for (const { at, neighbour, device } of ends)
        ip(
          ...at,
          ...["neigh", "replace", neighbour, "lladdr", nobody],
          ...["dev", device, "nud"],
          "permanent",
        );
    },
    mend: () => {
      for (const { at, neighbour, device } of ends)
        ip(...at, "neigh", "del", neighbour, "dev", device);
    },
    remove,
  };
}

/** Throws an Error with what iproute2 printed, if it fails. */
function ip(...args: string[]): void {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr.trim()}`);
}
