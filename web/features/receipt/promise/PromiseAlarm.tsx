import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Loaded when a promise was broken. */
export const PromiseAlarm = lazyComponent(
  () => import("#web/features/receipt/promise/PromiseAlarmBody.tsx"),
  ["receipt"],
  null,
);
