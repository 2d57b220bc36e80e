import { lazy, Suspense, useState } from "react";
import { people } from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { useOpened } from "#ui/overlay/useOpened.ts";
import type { OrdersRunProps } from "./OrdersRunView.tsx";

const load = () => import("./OrdersRunSheet.tsx");
const OrdersRunSheet = lazy(load);

/** Opens the run of the order on the ticket; not for an order of nothing. */
export default function TryOrderButton(order: OrdersRunProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const opened = useOpened(open, load);
  return (
    <>
      <Button
        variant="outline"
        size="small"
        block
        disabled={order.quote.stake === 0n}
        onClick={() => setOpen(true)}
      >
        {t("monte_carlo.try", { people })}
      </Button>
      {opened ? (
        <Suspense fallback={null}>
          <OrdersRunSheet {...order} open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
