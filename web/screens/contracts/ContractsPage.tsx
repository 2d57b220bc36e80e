import { lazy, useEffect } from "react";
import { useSearchParams } from "#ui/router.tsx";
import { whenIdle } from "#ui/whenIdle.ts";

const loadMarket = () => import("./market/MarketPage.tsx");
const loadTrade = () => import("./trade/TradePage.tsx");
const MarketPage = lazy(loadMarket);
const TradePage = lazy(loadTrade);

/** The code of the view that is asked for; a failure is reported when it is rendered. */
function ready(): Promise<unknown> {
  const asked = window.location.search.includes("contract_id=") ? loadTrade() : loadMarket();
  return asked.catch(() => undefined);
}

/** `/business`: the list of contracts, or with `?contract_id=` one of them to trade. */
function ContractsPage() {
  const [query] = useSearchParams();
  const contractId = query.get("contract_id");
  useEffect(
    () => whenIdle(() => void Promise.all([loadMarket(), loadTrade()]).catch(() => undefined)),
    [],
  );
  return contractId ? <TradePage key={contractId} contractId={contractId} /> : <MarketPage />;
}

export default Object.assign(ContractsPage, { ready });
