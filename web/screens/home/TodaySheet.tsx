import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** What the result of today is made of, line by line. To be drawn once it was opened. */
export const TodaySheet = lazyComponent(
  () => import("#web/screens/home/TodaySheetBody.tsx"),
  ["today"],
  null,
);
