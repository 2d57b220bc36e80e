import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Loads the alarm on demand: it is needed only when the log breaks an acknowledgement. */
export const AcknowledgementAlarm = lazyComponent(
  () => import("./AcknowledgementAlarmBody.tsx"),
  ["receipt"],
  null,
);
