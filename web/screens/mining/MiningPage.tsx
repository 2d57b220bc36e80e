import { IconHistory, IconInfoCircle } from "@tabler/icons-react";
import { getProductList, myMachine } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { MachineDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useWide } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Comparison } from "./Comparison.tsx";
import { LeaseCard } from "./LeaseCard.tsx";
import { MachineRow } from "./MachineRow.tsx";
import { NetworkPanel } from "./NetworkPanel.tsx";
import { Totals } from "./Totals.tsx";
import { useLeaseUpdates } from "./useLeaseUpdates.ts";

const refetchMs = 15_000;
const iconLink = "grid size-11 place-items-center rounded-dock text-signal-ink hover:bg-leaf";

/**
 * `/mining`: the person's machines at work, what all machines for lease would bring side by side,
 * each of them, and the network that determines what they earn.
 */
export default function MiningPage() {
  const t = useText();
  const products = useApiQuery(getProductList, {}, { refetchMs });
  useLeaseUpdates();
  const items = products.data?.items ?? [];
  // First on a phone; on wide screens in the wider column, where the whole table fits.
  const isWide = useWide();
  const comparison = items.length > 0 ? <Comparison machines={items} /> : null;
  return (
    <Page
      title={t("mining.title")}
      back="/home"
      actions={
        <>
          <Link to="/mining/intro" aria-label={t("mining.intro.title")} className={iconLink}>
            <IconInfoCircle size={20} aria-hidden="true" />
          </Link>
          <Link to="/mining/record" aria-label={t("mining.orders.title")} className={iconLink}>
            <IconHistory size={20} aria-hidden="true" />
          </Link>
        </>
      }
      side={
        <>
          {isWide ? comparison : null}
          <NetworkPanel />
        </>
      }
    >
      <Own />
      {isWide ? null : comparison}
      <Machines products={products} />
    </Page>
  );
}

function Machines({
  products,
}: {
  products: ReturnType<typeof useApiQuery<typeof getProductList>>;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { data } = products;
  return (
    <Section title={t("mining.machines")} note={t("mining.machines.note")}>
      {data ? (
        data.items.length === 0 ? (
          <Empty drawing={<MachineDrawing />} title={t("mining.none")}>
            {t("mining.none.text")}
          </Empty>
        ) : (
          <>
            {data.items.map((machine) => (
              <MachineRow key={machine.product_id} machine={machine} />
            ))}
            <p className="px-4 py-3 text-small text-ink-soft">
              {data.instance.ended === 0
                ? t("mining.instance.none")
                : t("mining.instance", data.instance)}
            </p>
          </>
        )
      ) : products.error ? (
        <div className="p-4">
          <ErrorNote busy={products.isFetching} onRetry={() => void products.refetch()}>
            {errorMessage(products.error)}
          </ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={5} tall />
      )}
    </Section>
  );
}

/** Empty when signed out or without an open lease. */
function Own() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { status } = useSession();
  const result = useApiQuery(myMachine, {}, { enabled: status === "signed_in", refetchMs: 5_000 });
  if (status !== "signed_in") return null;
  if (result.error && !result.data) {
    return (
      <div className="p-4">
        <ErrorNote busy={result.isFetching} onRetry={() => void result.refetch()}>
          {errorMessage(result.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!result.data || result.data.spent === "0") return null;
  return (
    <>
      <Totals ownTotals={result.data} />
      {result.data.items.length > 0 ? (
        <Section
          title={t("mining.running")}
          action={
            <Link
              to="/mining/record"
              className="min-h-11 content-center text-small text-signal-ink"
            >
              {t("mining.all")}
            </Link>
          }
        >
          {result.data.items.slice(0, 3).map((lease) => (
            <LeaseCard key={lease.lease_id} lease={lease} heading="h3" />
          ))}
        </Section>
      ) : null}
    </>
  );
}
