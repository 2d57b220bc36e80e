import { lazy } from "react";
import { useSearchParams } from "#ui/router.tsx";
import { TradePage } from "./trade/TradePage.tsx";

const loadMarket = () => import("./market/MarketPage.tsx");
const MarketPage = lazy(loadMarket);
// Whoever comes for the list needs its code at once, not after this.
if (!window.location.search.includes("contract_id=")) void loadMarket().catch(() => undefined);

/** `/business`: the list of contracts, or with `?contract_id=` one of them to trade. */
export default function ContractsPage() {
  const [query] = useSearchParams();
  const contractId = query.get("contract_id");
  return contractId ? <TradePage key={contractId} contractId={contractId} /> : <MarketPage />;
}
