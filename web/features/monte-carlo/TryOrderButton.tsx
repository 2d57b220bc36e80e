import { personCount } from "#core/monte-carlo/orders.ts";
import { useText } from "#i18n/useText.ts";
import { useSearchParams } from "#ui/router.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import type { OrdersRunProps } from "./OrdersRunView.tsx";
import { RunButton } from "./RunButton.tsx";

const load = () => import("./OrdersRunView.tsx");
const OrdersRunView = deferredComponent(load);

/**
 * The order on the ticket, placed again and again by a thousand people in the past; `?do=thousand`
 * opens it.
 */
export default function TryOrderButton(order: OrdersRunProps) {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  return (
    <RunButton
      label={t("monte-carlo.try", { people: personCount })}
      title={t("monte-carlo.orders.title", { people: personCount })}
      text={t("monte-carlo.orders.text", { people: personCount })}
      isRequested={query.get("do") === "thousand"}
      onClosed={() => setQuery({ contract_id: order.contractId }, { replace: true })}
      disabled={order.quote.stake === 0n}
      load={load}
    >
      <OrdersRunView {...order} />
    </RunButton>
  );
}
