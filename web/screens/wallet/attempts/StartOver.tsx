import { useState } from "react";
import { useIntl } from "react-intl";
import type { Attempt } from "#api/attempts.ts";
import { startOver } from "#api/routes/attempts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { shortWorthText } from "#ui/figures/shortAmount.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useNavigate, useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { enterSession } from "#web/features/session/sessionCache.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Running } from "./Running.tsx";
import { useRealNow } from "./useRealNow.ts";

/** Starts a new attempt: what closes, what runs to its end and what stays, then the button. */
export function StartOver({ current, nextStartAtMs }: { current: Attempt; nextStartAtMs: number }) {
  const { formatDate } = useIntl();
  const t = useText();
  const [query] = useSearchParams();
  // `start=1` comes from the card about a low balance: opens the sheet with the consequences
  // immediately.
  const [open, setOpen] = useState(() => query.get("start") === "1");
  const mustWait = useRealNow() < nextStartAtMs;
  return (
    <Section kind="plain" title={t("attempts.over.title")}>
      <p className="pb-3 text-small text-ink-soft">
        {t("attempts.over.text")}{" "}
        {mustWait
          ? t("attempts.over.next", {
              time: formatDate(nextStartAtMs, { dateStyle: "medium", timeStyle: "short" }),
            })
          : null}
      </p>
      <Button variant="outline" block disabled={mustWait} onClick={() => setOpen(true)}>
        {t("attempts.over.look")}
      </Button>
      <StartOverSheet open={open && !mustWait} onClose={() => setOpen(false)} current={current} />
    </Section>
  );
}

function StartOverSheet({
  open,
  onClose,
  current,
}: {
  open: boolean;
  onClose: () => void;
  current: Attempt;
}) {
  const t = useText();
  const navigate = useNavigate();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useApiMutation(startOver);
  const start = async () => {
    try {
      await send({ attempt_id: current.attempt_id });
      onClose();
      await enterSession();
      navigate("/home");
      toast(t("attempts.over.done"));
    } catch {
      // The error is shown above the button.
    }
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("attempts.over.title")}
      description={t("attempts.over.noBackText")}
      actions={
        <>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <Button variant="danger" block busy={isBusy} onClick={() => void start()}>
            {t("attempts.over.do")}
          </Button>
          <Button variant="quiet" block onClick={onClose}>
            {t("attempts.over.keep", { number: current.number })}
          </Button>
        </>
      }
    >
      <dl className="flex flex-col gap-4">
        <Point title={t("attempts.over.new")}>
          {t("attempts.over.newText", { number: current.number + 1 })}
        </Point>
        <Point title={t("attempts.over.stays")}>
          {t("attempts.over.staysText", { number: current.number })}{" "}
          {current.total === null ? null : (
            <Amount value={shortWorthText(current.total, "pUSDT")} coin="pUSDT" />
          )}
        </Point>
        <Point title={t("attempts.over.cancelled")}>{t("attempts.over.cancelledText")}</Point>
        <Point title={t("attempts.over.runsOff")}>
          {t("attempts.over.runsOffText")}
          <Running running={current.running} />
        </Point>
      </dl>
    </Sheet>
  );
}

function Point({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="font-strong">{title}</dt>
      <dd className="text-ink-soft">{children}</dd>
    </div>
  );
}
