import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Link } from "#ui/router.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { LowBalance } from "#web/features/attempts/LowBalance.tsx";
import { AccountDetails } from "#web/features/money/AccountDetails.tsx";
import { DisplayTotal } from "#web/features/money/DisplayTotal.tsx";
import { readLastUserId } from "#web/features/session/sessionCache.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useDisplay } from "#web/lib/display.ts";
import { HideableAmount, useHideAmounts } from "#web/lib/hideAmounts.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { Hero } from "#web/screens/home/Hero.tsx";
import { TodaySheet } from "#web/screens/home/TodaySheet.tsx";
import { useProductLines } from "#web/screens/home/useProductLines.ts";

const QuickActions = lazyComponent(
  () => import("#web/screens/home/QuickActions.tsx"),
  ["quick-actions"],
  <div className="mt-3 min-h-14" />,
);

/** The practice balance with its quick actions, or what a visitor should know first. */
export function Balance() {
  const { status } = useSession();
  // This is known before the session is, so a visitor who was never signed in here sees no skeleton
  // of a balance.
  const visitor = status === "signed_out" || (status === "loading" && readLastUserId() === null);
  return (
    <section className="min-h-50 px-4 pt-5 pb-2">
      {visitor ? <Hero /> : <Total known={status === "signed_in"} />}
      {status === "signed_in" ? <LowBalance /> : null}
    </section>
  );
}

function Total({ known }: { known: boolean }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [hidden] = useHideAmounts();
  const [display] = useDisplay();
  const { data, error, isFetching, refetch } = useProductLines();
  const total = data?.account?.total;
  if (error && !data) {
    return (
      <>
        <ErrorNote busy={isFetching} onRetry={() => void refetch()}>
          {errorMessage(error)}
        </ErrorNote>
        <QuickActions />
      </>
    );
  }
  return (
    <>
      <h2 className="text-small font-normal text-ink-soft">{t("home.balance.title")}</h2>
      <p className="flex h-12 items-center text-figure font-strong tracking-tight">
        {total !== undefined ? (
          display === data?.display_currency ? (
            <HideableAmount hidden={hidden}>
              <Amount value={shortWorthText(total, display)} coin={display} />
            </HideableAmount>
          ) : (
            <DisplayTotal />
          )
        ) : data ? (
          <span className="text-ink-faint">{t("home.balance.none")}</span>
        ) : (
          <Skeleton width="11rem" height="1.75rem" />
        )}
      </p>
      <Today />
      <QuickActions />
      <div className="mt-3 flex gap-2">
        <Link to="/wallet" className={buttonClass({ variant: "outline", size: "small" })}>
          {t("home.balance.wallet")}
        </Link>
        <Link to="/wallet-record" className={buttonClass({ variant: "outline", size: "small" })}>
          {t("home.balance.records")}
        </Link>
      </div>
      {known && total !== undefined ? <AccountDetails /> : null}
    </>
  );
}

/** Today's result; opens its breakdown. */
function Today() {
  const t = useText();
  const { data } = useProductLines();
  const [hidden] = useHideAmounts();
  const [open, setOpen] = useState(false);
  const [hasOpened, setHasOpened] = useState(false);
  const total = data ? (data.account?.today ?? null) : undefined;
  const tone = total?.startsWith("-") ? -1 : total === "0" ? 0 : 1;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        disabled={!data}
        onClick={() => {
          setHasOpened(true);
          setOpen(true);
        }}
        className="-mx-2 flex min-h-11 items-center gap-2 rounded-dock px-2 text-small transition-colors hover:bg-well"
      >
        <span className="text-ink-soft">{t("home.today")}</span>
        {total === undefined ? (
          <Skeleton width="5rem" height="0.9rem" />
        ) : total === null ? (
          <span className="text-ink-faint">{t("home.balance.none")}</span>
        ) : hidden ? (
          <HideableAmount hidden>{null}</HideableAmount>
        ) : (
          <span
            className={`inline-flex items-center gap-1.5 font-strong ${tone > 0 ? "text-rise" : tone < 0 ? "text-fall" : ""}`}
          >
            <Arrow direction={tone} />
            <Amount
              value={shortWorthText(total, data!.display_currency)}
              coin={data!.display_currency}
              signed
              toned
            />
          </span>
        )}
        <IconChevronRight size={16} className="text-signal-ink" aria-hidden="true" />
      </button>
      {hasOpened ? <TodaySheet open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
