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

/** A place in the rail: where it leads, its name, and the other addresses that belong to it. */
interface Place {
  to: string;
  /** A message of the first chunk or of `desk`. */
  name: string;
  Icon: typeof IconHome;
  also?: readonly string[];
}

/** The places of the rail, in groups. */
export const placeGroups: readonly (readonly Place[])[] = [
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

const below = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

/** The place that the screen at `path` belongs to; null where it belongs to none. */
export function placeAt(path: string): string | null {
  const all = placeGroups.flat();
  return all.find(({ to, also = [] }) => [to, ...also].some((one) => below(path, one)))?.to ?? null;
}
