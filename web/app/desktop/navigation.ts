import {
  IconArrowsUpDown,
  IconChecklist,
  IconCpu,
  IconHome,
  IconListDetails,
  IconReceipt,
  IconRobot,
  IconSchool,
  IconTopologyStar3,
  IconUser,
  IconUsers,
  IconWallet,
} from "@tabler/icons-react";

/** An entry of the side navigation: its address, its name, and other addresses below it. */
interface NavigationEntry {
  to: string;
  /** A message of the first chunk or of `desk`. */
  name: string;
  Icon: typeof IconHome;
  also?: readonly string[];
}

/** The entries of the side navigation, in groups. */
export const navigationGroups: readonly (readonly NavigationEntry[])[] = [
  [
    { to: "/home", name: "app.tab.home", Icon: IconHome, also: ["/news-list"] },
    { to: "/business", name: "app.tab.trade", Icon: IconArrowsUpDown },
    { to: "/ai", name: "home.line.hosting", Icon: IconTopologyStar3 },
    { to: "/robot-run-page", name: "app.tab.robot", Icon: IconRobot },
    { to: "/mining", name: "home.line.mining", Icon: IconCpu, also: ["/miningrecord"] },
  ],
  [
    { to: "/wallet", name: "home.balance.wallet", Icon: IconWallet, also: ["/wallet-info"] },
    { to: "/wallet-record", name: "home.balance.records", Icon: IconListDetails },
  ],
  [
    { to: "/help", name: "wide.learn", Icon: IconSchool },
    { to: "/verify", name: "home.line.verify", Icon: IconReceipt },
    { to: "/authorized-activity", name: "wide.requests", Icon: IconChecklist },
  ],
  [
    { to: "/uc-team", name: "app.tab.team", Icon: IconUsers, also: ["/share"] },
    { to: "/ucenter", name: "app.tab.me", Icon: IconUser, also: ["/real_name", "/language"] },
  ],
];

const isBelow = (path: string, address: string) =>
  path === address || path.startsWith(`${address}/`);

/** The address of the entry that the screen at `path` belongs to; null if none. */
export function findActiveEntry(path: string): string | null {
  const entries = navigationGroups.flat();
  return (
    entries.find(({ to, also = [] }) => [to, ...also].some((address) => isBelow(path, address)))
      ?.to ?? null
  );
}
