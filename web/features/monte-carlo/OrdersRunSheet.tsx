import { people } from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { type OrdersRunProps, OrdersRunView } from "./OrdersRunView.tsx";

/** The order on the ticket, placed again and again by a thousand people in the past. */
export default function OrdersRunSheet({
  open,
  onOpenChange,
  ...order
}: OrdersRunProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useText();
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("monte_carlo.orders.title", { people })}
      description={t("monte_carlo.orders.text", { people })}
    >
      {open ? <OrdersRunView {...order} /> : null}
    </Sheet>
  );
}
