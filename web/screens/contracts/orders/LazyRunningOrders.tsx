import { Suspense } from "react";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import type { RunningOrdersProps } from "./RunningOrders.tsx";

// The code is loaded with the first order, which most visits never have.
const RunningOrders = deferredComponent(() => import("./RunningOrders.tsx"));

/** The orders of this market, if there are any. */
export function LazyRunningOrders(props: RunningOrdersProps) {
  if (props.orders.length === 0) return null;
  return (
    <Suspense fallback={<div style={{ height: 54 }} />}>
      <RunningOrders {...props} />
    </Suspense>
  );
}
