import { useEffect, useState } from "react";
import type { OpenViewing, PersonView } from "#api/operator/people.ts";
import { closeViewing, findViewing, getPersonAccount } from "#api/routes/operator/people.ts";
import type { ViewedSection } from "#core/operator/viewing.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { getServerNow } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { PersonStatus } from "#operator/people/PersonStatus.tsx";
import { SearchLink } from "#operator/people/SearchLink.tsx";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { useNavigate } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { queryClient } from "#web/lib/api/client.ts";
import { invalidate, updateCached, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const PersonTabs = lazyComponent(
  () => import("#operator/people/tabs/PersonTabs.tsx"),
  ["people", "records", "contracts", "hosting", "mining", "withdraw"],
);

/**
 * The person's own view, read only, while their code is valid. Polled often, since they may end it
 * at any moment.
 */
export function ViewingPage({ viewingId }: { viewingId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const input = { viewing_id: viewingId };
  const { data, error, refetch, isFetching } = useApiQuery(findViewing, input, {
    refetchMs: 10_000,
  });
  if (error?.error === "people.viewing_over") return <Over />;
  if (!data) {
    return (
      <ConsolePage title={t("people.person")} actions={<SearchLink />}>
        {error ? (
          <div className="p-4">
            <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
              {errorMessage(error)}
            </ErrorNote>
          </div>
        ) : (
          <SkeletonRows />
        )}
      </ConsolePage>
    );
  }
  return (
    <Viewing
      viewing={data}
      onChanged={(person) => {
        updateCached(findViewing, input, (cached) => ({ ...cached, person }));
        void invalidate(getPersonAccount);
      }}
      onOver={() => void refetch()}
    />
  );
}

function Over() {
  const t = useText();
  // Once it ends, this browser keeps none of the data.
  useEffect(
    () =>
      queryClient.removeQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/operator/people/get"),
      }),
    [],
  );
  return (
    <ConsolePage title={t("people.person")}>
      <Empty title={t("people.over.title")} action={<SearchLink />}>
        {t("people.over.text")}
      </Empty>
    </ConsolePage>
  );
}

const tabs: readonly ViewedSection[] = ["wallet", "orders", "withdrawals", "records", "account"];

function Viewing({
  viewing,
  onChanged,
  onOver,
}: {
  viewing: OpenViewing;
  onChanged: (person: PersonView) => void;
  onOver: () => void;
}) {
  const t = useText();
  // A part is fetched only when chosen: opening it is recorded on the person's side.
  const [part, setPart] = useState<ViewedSection>("wallet");
  return (
    <ConsolePage
      title={t("people.viewing")}
      lead={t("people.viewing.lead")}
      actions={<Close viewingId={viewing.viewing_id} />}
    >
      <p className="mx-4 mt-4 rounded-dock bg-warning-wash px-4 py-2.5 text-small text-warning">
        {t("people.viewing.left")}{" "}
        <Countdown untilMs={viewing.ends_at_ms} now={getServerNow} onEnd={onOver} />
      </p>
      <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 pt-4">
          <Tabs
            label={t("people.viewing")}
            value={part}
            onChange={setPart}
            tabs={tabs.map((value) => ({ value, label: t(`people.part.${value}`) }))}
          >
            <PersonTabs key={part} tab={part} viewingId={viewing.viewing_id} />
          </Tabs>
        </div>
        <div className="min-w-0">
          <PersonStatus person={viewing.person} onChanged={onChanged} />
        </div>
      </div>
    </ConsolePage>
  );
}

function Close({ viewingId }: { viewingId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const navigate = useNavigate();
  const { send, isBusy, error } = useOperatorMutation(closeViewing);
  const close = async () => {
    await send({ viewing_id: viewingId });
    navigate("/operator/people");
  };
  return (
    <span className="flex flex-col items-end gap-1">
      <Button
        variant="outline"
        size="small"
        busy={isBusy}
        onClick={() => void close().catch(() => undefined)}
      >
        {t("people.viewing.close")}
      </Button>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
    </span>
  );
}
