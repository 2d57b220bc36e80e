import type { Lease } from "#api/mining.ts";
import { findLease, getOrderList } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { MachineDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useChoice } from "#web/lib/useChoice.ts";
import { LeaseCard } from "./LeaseCard.tsx";
import { MiningSignedIn } from "./MiningSignedIn.tsx";
import { NetworkPanel } from "./NetworkPanel.tsx";
import { PaidNote } from "./PaidNote.tsx";
import { useLeaseUpdates } from "./useLeaseUpdates.ts";

const statuses = ["running", "at_work", "maturity"] as const;
const openRefreshMs = 5_000;

/**
 * `/mining/record`: leases by status; `?lease_id=` shows one of them in full, with the network that
 * determines its payouts.
 */
export default function RecordPage() {
  const t = useText();
  const [query] = useSearchParams();
  const leaseId = query.get("lease_id");
  useLeaseUpdates();
  return (
    <Page
      title={t(leaseId ? "mining.order.title" : "mining.orders.title")}
      back={leaseId ? "/mining/record" : "/mining"}
      side={<NetworkPanel />}
    >
      <MiningSignedIn>
        {leaseId ? <One key={leaseId} leaseId={leaseId} /> : <ByStatus />}
      </MiningSignedIn>
    </Page>
  );
}

function One({ leaseId }: { leaseId: string }) {
  const errorMessage = useErrorMessage();
  const result = useApiQuery(findLease, { lease_id: leaseId }, { refetchMs: openRefreshMs });
  if (result.data) {
    return (
      <>
        <div className="border-y border-line">
          <LeaseCard lease={result.data} whole />
        </div>
        <PaidNote />
      </>
    );
  }
  if (!result.error) return <SkeletonRows count={6} />;
  return (
    <div className="p-4">
      <ErrorNote busy={result.isFetching} onRetry={() => void result.refetch()}>
        {errorMessage(result.error)}
      </ErrorNote>
    </div>
  );
}

function ByStatus() {
  const t = useText();
  const [status, setStatus] = useChoice("status", statuses, useFirstStatus());
  return (
    <Tabs
      label={t("mining.orders.status")}
      value={status}
      onChange={setStatus}
      tabs={statuses.map((value) => ({ value, label: t(`mining.status.${value}`) }))}
    >
      <Leases key={status} status={status} />
    </Tabs>
  );
}

/** At work, unless all leases that have not ended are still being set up. */
function useFirstStatus(): Lease["status"] {
  const atWork = useApiQuery(getOrderList, { status: "at_work", page: 1, page_size: 1 });
  const running = useApiQuery(getOrderList, { status: "running", page: 1, page_size: 1 });
  const isWorking = atWork.data?.items.length !== 0;
  return isWorking || !running.data?.items.length ? "at_work" : "running";
}

function Leases({ status }: { status: Lease["status"] }) {
  const t = useText();
  const list = useApiPages(
    getOrderList,
    { status, page_size: 10 },
    status === "maturity" ? {} : { refetchMs: openRefreshMs },
  );
  return (
    <PagedList
      list={list}
      keyOf={(lease) => lease.lease_id}
      empty={
        <Empty
          drawing={<MachineDrawing />}
          title={t(`mining.orders.none.${status}`)}
          action={
            <Link to="/mining" className={buttonClass({ variant: "outline", size: "small" })}>
              {t("mining.toMachines")}
            </Link>
          }
        />
      }
    >
      {(lease) => <LeaseCard lease={lease} />}
    </PagedList>
  );
}
