import { useSearchParams } from "react-router";
import MarketPage from "./market/MarketPage.tsx";
import { TradePage } from "./trade/TradePage.tsx";

/** `/business`: the list of contracts, or with `?contract_id=` one of them to trade. */
export default function ContractsPage() {
  const [query] = useSearchParams();
  const contractId = query.get("contract_id");
  return contractId ? <TradePage key={contractId} contractId={contractId} /> : <MarketPage />;
}
