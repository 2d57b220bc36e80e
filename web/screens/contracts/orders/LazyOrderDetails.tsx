import { Suspense } from "react";
import type { Order } from "#api/contracts.ts";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";

const load = () => import("./OrderDetails.tsx");
const OrderDetails = deferredComponent(load);

/** The details of an order; their code loads when the page is idle. */
export function LazyOrderDetails(props: {
  order: Order;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRepeat?: () => void;
}) {
  if (!useWasOpened(props.open, load)) return null;
  return (
    <Suspense fallback={null}>
      <OrderDetails {...props} />
    </Suspense>
  );
}
