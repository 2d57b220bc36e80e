import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { TradePage } from "./trade/TradePage.tsx";

const MarketPage = lazy(() => import("./market/MarketPage.tsx"));

/** `/business`: the markets, or with `?contract_id=` one of them to trade. */
export default function BusinessPage() {
  const [query] = useSearchParams();
  const contractId = query.get("contract_id");
  if (contractId) return <TradePage key={contractId} contractId={contractId} />;
  return (
    <Suspense fallback={null}>
      <MarketPage />
    </Suspense>
  );
}
