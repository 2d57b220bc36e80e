import { getOrderCosts } from "#api/routes/contracts.ts";
import { FillCosts } from "#web/features/fill-costs/FillCosts.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** The costs in a settled order's result; renders nothing for a void order. */
export function OrderCosts({
  orderId,
  rateBp,
  scale,
}: {
  orderId: string;
  rateBp: number;
  scale: number;
}) {
  const { data } = useApiQuery(getOrderCosts, { order_id: orderId }, { staleMs: Infinity });
  const parts = data?.parts;
  if (!parts) return null;
  const { fair, costs, net, prices } = parts;
  return (
    <FillCosts
      of="order"
      coin="pUSDT"
      from={fair}
      to={net}
      costs={costs}
      prices={prices}
      rateBp={rateBp}
      scale={scale}
    />
  );
}
