import {
  IconBug,
  IconChartBar,
  IconClipboardList,
  IconHeartRateMonitor,
  IconLayoutDashboard,
  IconNews,
  type IconProps,
  IconSchool,
  IconSettings,
  IconShieldLock,
  IconUserSearch,
  IconUsersGroup,
  IconWorld,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Permission } from "#core/operator/permissions.ts";
import { type LazyPage, lazyPage } from "#web/lib/start/lazyPage.ts";

export interface ConsoleEntry {
  path: `/operator${string}`;
  /**
   * Shown only to operators with this permission; null: to every operator. The server checks again.
   */
  permission: Permission | null;
  /** Message id of its name. */
  name: string;
  Icon: ComponentType<IconProps>;
  /** False for a page that is reached only from another one. */
  inMenu?: false;
  Page: LazyPage;
}

/** Every page of the console, in menu order, each with its message namespaces. */
export const pages: readonly ConsoleEntry[] = [
  {
    path: "/operator",
    permission: null,
    name: "console.nav.overview",
    Icon: IconLayoutDashboard,
    Page: lazyPage(() => import("#operator/overview/OverviewPage.tsx"), ["console"]),
  },
  {
    path: "/operator/publishing",
    // Anyone who may publish anything may publish news (core/operator/permissions.ts); each kind
    // also requires its own permission.
    permission: "publish.news",
    name: "console.nav.publishing",
    Icon: IconNews,
    Page: lazyPage(
      () => import("#operator/publishing/PublishingPage.tsx"),
      ["console", "publishing"],
    ),
  },
  {
    path: "/operator/people",
    permission: "people.find",
    name: "console.nav.people",
    Icon: IconUserSearch,
    Page: lazyPage(() => import("#operator/people/PeoplePage.tsx"), ["console", "people"]),
  },
  {
    path: "/operator/class",
    permission: "class.links",
    name: "console.nav.classes",
    Icon: IconSchool,
    Page: lazyPage(
      () => import("#operator/classes/ClassPage.tsx"),
      ["console", "classes", "class-room"],
    ),
  },
  {
    path: "/operator/class/debrief",
    permission: "class.debrief",
    name: "debrief.title",
    Icon: IconSchool,
    inMenu: false,
    Page: lazyPage(() => import("#operator/classes/DebriefPage.tsx"), ["console", "debrief"]),
  },
  {
    path: "/operator/class/plan",
    permission: "class.links",
    name: "lesson-plan.title",
    Icon: IconSchool,
    inMenu: false,
    Page: lazyPage(
      () => import("#operator/classes/LessonPlanPage.tsx"),
      ["console", "debrief", "lesson-plan", "worlds"],
    ),
  },
  {
    path: "/operator/instance",
    permission: "instance.view",
    name: "console.nav.instance",
    Icon: IconHeartRateMonitor,
    Page: lazyPage(() => import("#operator/instance/InstancePage.tsx"), ["console", "instance"]),
  },
  {
    path: "/operator/use",
    permission: "instance.view",
    name: "console.nav.use",
    Icon: IconChartBar,
    Page: lazyPage(() => import("#operator/instance/UsagePage.tsx"), ["console", "instance"]),
  },
  {
    path: "/operator/errors",
    permission: "instance.view",
    name: "console.nav.errors",
    Icon: IconBug,
    Page: lazyPage(() => import("#operator/instance/ErrorsPage.tsx"), ["console", "instance"]),
  },
  {
    path: "/operator/settings",
    permission: "instance.view",
    name: "console.nav.settings",
    Icon: IconSettings,
    Page: lazyPage(() => import("#operator/instance/SettingsPage.tsx"), ["console", "instance"]),
  },
  {
    path: "/operator/worlds",
    permission: "instance.worlds",
    name: "console.nav.worlds",
    Icon: IconWorld,
    Page: lazyPage(() => import("#operator/worlds/WorldsPage.tsx"), ["console", "worlds"]),
  },
  {
    path: "/operator/security",
    permission: null,
    name: "console.nav.security",
    Icon: IconShieldLock,
    Page: lazyPage(() => import("#operator/factors/SecurityPage.tsx"), ["console"]),
  },
  {
    path: "/operator/operators",
    permission: "operators.manage",
    name: "console.nav.operators",
    Icon: IconUsersGroup,
    Page: lazyPage(() => import("#operator/operators/OperatorsPage.tsx"), ["console"]),
  },
  {
    path: "/operator/audit",
    permission: "audit.read",
    name: "console.nav.audit",
    Icon: IconClipboardList,
    Page: lazyPage(() => import("#operator/audit/AuditPage.tsx"), ["console"]),
  },
];
