import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** The alarm is loaded when a promise was broken. */
export const AcknowledgementAlarm = lazyComponent(
  () => import("./AcknowledgementAlarmBody.tsx"),
  ["receipt"],
  null,
);
