import { personCount } from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import type { LeaseRunProps } from "./LeaseRunView.tsx";
import { RunButton } from "./RunButton.tsx";

const load = () => import("./LeaseRunView.tsx");
const LeaseRunView = deferredComponent(load);

/** Runs the lease through a thousand possible futures assembled from the past. */
export default function TryLeaseButton(lease: LeaseRunProps) {
  const t = useText();
  return (
    <RunButton
      label={t("monte-carlo.try", { people: personCount })}
      title={t("monte-carlo.lease.title", { people: personCount })}
      text={t("monte-carlo.lease.text")}
      load={load}
    >
      <LeaseRunView {...lease} />
    </RunButton>
  );
}
