import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Breakdown of today's result by product line. Render it only once it was opened. */
export const TodaySheet = lazyComponent(
  () => import("#web/screens/home/TodaySheetBody.tsx"),
  ["today"],
  null,
);
