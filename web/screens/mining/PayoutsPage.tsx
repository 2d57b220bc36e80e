import { getPayoutList, myMachine } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { MachineDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { MiningSignedIn } from "./MiningSignedIn.tsx";
import { PayoutRow } from "./PayoutRow.tsx";
import { Totals } from "./Totals.tsx";
import { useLeaseUpdates } from "./useLeaseUpdates.ts";

/** `/miningrecord`: every paid day, of all leases or of `?lease_id=`. */
export default function PayoutsPage() {
  const t = useText();
  const [query] = useSearchParams();
  const leaseId = query.get("lease_id");
  useLeaseUpdates();
  return (
    <Page
      title={t("mining.payouts.title")}
      back={leaseId ? `/mining/record?lease_id=${leaseId}` : "/mining"}
    >
      <MiningSignedIn>
        {leaseId ? (
          <p className="px-4 pb-2 text-small">
            {t("mining.payouts.ofOne")}{" "}
            <Link to="/miningrecord" className="inline-block py-3 text-signal-ink underline">
              {t("mining.payouts.all")}
            </Link>
          </p>
        ) : (
          <AllTotals />
        )}
        <div className="mt-4 border-t border-line">
          <Payouts key={leaseId} leaseId={leaseId} />
        </div>
      </MiningSignedIn>
    </Page>
  );
}

function AllTotals() {
  const result = useApiQuery(myMachine, {});
  return result.data ? <Totals ownTotals={result.data} /> : null;
}

function Payouts({ leaseId }: { leaseId: string | null }) {
  const t = useText();
  const list = useApiPages(getPayoutList, {
    page_size: 20,
    ...(leaseId === null ? {} : { lease_id: leaseId }),
  });
  return (
    <PagedList
      list={list}
      keyOf={({ lease_id: id, day }) => `${id} ${day}`}
      empty={
        <Empty
          drawing={<MachineDrawing />}
          title={t("mining.payouts.none")}
          action={
            <Link to="/mining" className={buttonClass({ variant: "outline", size: "small" })}>
              {t("mining.toMachines")}
            </Link>
          }
        >
          {t("mining.payouts.none.text")}
        </Empty>
      }
    >
      {(payout) => <PayoutRow payout={payout} />}
    </PagedList>
  );
}
