import { getWalletList } from "#api/routes/wallet.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { isLow } from "./isLow.ts";

const Card = lazyComponent(
  () => import("#web/features/attempts/LowBalanceCard.tsx"),
  ["low-balance"],
  null,
);

/**
 * The options of a person with little left to practise with; renders nothing while there is enough.
 */
export function LowBalance() {
  const { status } = useSession();
  const { data } = useApiQuery(getWalletList, {}, { enabled: status === "signed_in" });
  return data && isLow(data.items) ? <Card /> : null;
}
