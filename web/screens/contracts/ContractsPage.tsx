import { useEffect } from "react";
import { getContractDetails, getContractList } from "#api/routes/contracts.ts";
import { useSearchParams } from "#ui/router.tsx";
import { whenIdle } from "#ui/whenIdle.ts";
import { prefetch } from "#web/lib/api/useApiQuery.ts";
import { lazyWithLimit } from "#web/lib/start/lazyComponent.tsx";
import { isInterval } from "./chart/choices.ts";
import { readFirstBars } from "./chart/firstBars.ts";
import { readChoice } from "./usePersistentState.ts";

const loadMarket = () => import("./market/MarketPage.tsx");
const loadTrade = () => import("./trade/TradePage.tsx");
const MarketPage = lazyWithLimit(loadMarket);
const TradePage = lazyWithLimit(loadTrade);

/**
 * The code of the requested view, whose data is fetched in parallel; failures are reported when it
 * is rendered.
 */
function ready(): Promise<unknown> {
  const query = new URLSearchParams(window.location.search);
  const contractId = query.get("contract_id");
  if (contractId) {
    prefetch(getContractDetails, { contract_id: contractId });
    readFirstBars(contractId, readChoice("chart.interval", "1m", isInterval)).catch(() => {});
  } else if (!query.has("type")) {
    prefetch(getContractList, { type: "all" });
  }
  const loading = contractId ? loadTrade() : loadMarket();
  return loading.catch(() => undefined);
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
