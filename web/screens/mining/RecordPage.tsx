import { useState } from "react";
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
  const firstStatus = useFirstStatus();
  const [status, setStatus] = useChoice("status", statuses, firstStatus ?? "at_work");
  if (firstStatus === null) return <SkeletonRows count={6} />;
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

/**
 * The status that is shown first: at work, unless all leases are still being set up or are over.
 * Fixed once it is known, so that no tab changes under the reader; null until then.
 */
function useFirstStatus(): Lease["status"] | null {
  const { data, isError } = useApiQuery(getOrderList, { page: 1, page_size: 50 });
  const [status, setStatus] = useState<Lease["status"] | null>(null);
  if (status === null && (data || isError)) {
    const hasLease = (value: Lease["status"]) => data?.items.some((item) => item.status === value);
    const order = ["at_work", "running", "maturity"] as const;
    setStatus(order.find(hasLease) ?? "at_work");
  }
  return status;
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
