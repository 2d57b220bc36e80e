import { getProductList } from "#api/routes/mining.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { MachineDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { BuyForm } from "./BuyForm.tsx";
import { useNetwork } from "./NetworkPanel.tsx";

const refetchMs = 15_000;

/**
 * `/mining/mechine-buy?product_id=`: one machine, what a lease of it costs and may earn, and the
 * lease form.
 */
export default function BuyPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query] = useSearchParams();
  const requestedId = query.get("product_id");
  const products = useApiQuery(getProductList, {}, { refetchMs });
  const network = useNetwork();
  const items = products.data?.items;
  const machine =
    items?.find(({ product_id }) => product_id === requestedId) ??
    (requestedId ? undefined : items?.[0]);
  const failed = products.error ?? network.error;
  if (machine && network.data && products.data) {
    const price = products.data.btc_price;
    return (
      <BuyForm
        key={machine.product_id}
        machine={machine}
        network={network.data}
        btcPrice={price === null ? null : toMinorUnits(price, 2)}
      />
    );
  }
  return (
    <Page title={t("mining.buy.title")} back="/mining">
      {failed ? (
        <div className="p-4">
          <ErrorNote
            busy={products.isFetching || network.isFetching}
            onRetry={() => void Promise.all([products.refetch(), network.refetch()])}
          >
            {errorMessage(failed)}
          </ErrorNote>
        </div>
      ) : items && network.data ? (
        <NoMachine />
      ) : (
        <SkeletonRows count={6} />
      )}
    </Page>
  );
}

function NoMachine() {
  const t = useText();
  return (
    <Empty
      drawing={<MachineDrawing />}
      title={t("mining.buy.unknown")}
      action={
        <Link to="/mining" className={buttonClass({ variant: "outline", size: "small" })}>
          {t("mining.toMachines")}
        </Link>
      }
    />
  );
}
