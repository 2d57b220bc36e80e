import { useState } from "react";
import { useIntl } from "react-intl";
import { excludeMyself, getSelfLimits, setLossLimit } from "#api/routes/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { SelfExclusion } from "#web/features/limits/SelfExclusion.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** The coin of contract stakes (docs/rules/contracts.md). */
const stakeCoin = "pUSDT";
const periods = ["day", "month", "forever"] as const;

/** The limits a person sets for themselves on contracts. */
export default function LimitsSheet({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useText();
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t("contracts.limits.title")}
      description={t("contracts.limits.intro")}
    >
      <LossLimit />
      <Exclusion />
    </Sheet>
  );
}

function LossLimit() {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const limits = useApiQuery(getSelfLimits, {});
  const set = useApiMutation(setLossLimit);
  const [text, setText] = useState("");
  if (limits.isError) {
    return (
      <ErrorNote onRetry={() => void limits.refetch()}>{errorMessage(limits.error)}</ErrorNote>
    );
  }
  if (!limits.data) return <SkeletonRows count={2} />;
  const { daily_loss_limit: now, daily_loss_limit_next: next, lost_today: lost } = limits.data;
  const limit = (value: string | null) =>
    value === null ? (
      t("contracts.limits.noLimit")
    ) : (
      <Amount key={value} value={value} coin={stakeCoin} />
    );

  const save = async (value: string | null) => {
    try {
      const { msg } = await set.send({ daily_loss_limit: value });
      toast(msg || t("contracts.limits.saved"));
      setText("");
      await invalidate(getSelfLimits);
    } catch {
      // The error is shown below the field; what was typed stays.
    }
  };
  return (
    <>
      <Section className="-mx-4">
        <Row
          label={t("contracts.limits.lostToday")}
          value={<Amount value={lost} coin={stakeCoin} />}
          className="min-h-12"
        />
        <Row
          label={t("contracts.limits.current")}
          value={limit(now)}
          valueHint={
            next
              ? t("contracts.limits.next", {
                  date: formatDate(next.from_ms, { dateStyle: "medium", timeStyle: "short" }),
                  limit: limit(next.limit),
                })
              : undefined
          }
          className="min-h-12"
        />
      </Section>
      <div className="mt-4 flex flex-col gap-3">
        <Field
          label={t("contracts.limits.loss")}
          hint={t("contracts.limits.lossHint")}
          error={set.error ? errorMessage(set.error) : undefined}
        >
          <AmountInput value={text} onChange={setText} coin={stakeCoin} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={set.isBusy}
            disabled={text === ""}
            onClick={() => void save(settleAmountText(text))}
          >
            {t("contracts.limits.set")}
          </Button>
          {now === null ? null : (
            <Button size="small" variant="quiet" busy={set.isBusy} onClick={() => void save(null)}>
              {t("contracts.limits.remove")}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

function Exclusion() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const exclude = useApiMutation(excludeMyself);
  const [requestedPeriod, setRequestedPeriod] = useState<(typeof periods)[number] | null>(null);
  const confirm = async () => {
    if (!requestedPeriod) return;
    try {
      const { msg } = await exclude.send({ period: requestedPeriod });
      toast(msg || t("contracts.limits.excluded"));
      setRequestedPeriod(null);
      await invalidate(getSelfLimits);
    } catch {
      // The error is shown in the dialog, which stays open.
    }
  };
  return (
    <Section
      kind="plain"
      className="-mx-4"
      title={t("contracts.limits.exclude")}
      note={t("contracts.limits.excludeHint")}
    >
      <SelfExclusion>{null}</SelfExclusion>
      <div className="mt-3 flex flex-wrap gap-2">
        {periods.map((period) => (
          <Button
            key={period}
            size="small"
            variant="danger"
            onClick={() => setRequestedPeriod(period)}
          >
            {t(`contracts.limits.${period}`)}
          </Button>
        ))}
      </div>
      <Dialog
        open={requestedPeriod !== null}
        onOpenChange={(open) => {
          if (!open) setRequestedPeriod(null);
        }}
        title={t("contracts.limits.exclude")}
        actions={
          <>
            <Button variant="outline" size="small" onClick={() => setRequestedPeriod(null)}>
              {t("contracts.limits.keep")}
            </Button>
            <Button
              variant="danger"
              size="small"
              busy={exclude.isBusy}
              onClick={() => void confirm()}
            >
              {t("contracts.limits.excludeDo", { period: requestedPeriod ?? "day" })}
            </Button>
          </>
        }
      >
        <p>{t("contracts.limits.excludeSure", { period: requestedPeriod ?? "day" })}</p>
        {exclude.error ? <ErrorNote>{errorMessage(exclude.error)}</ErrorNote> : null}
      </Dialog>
    </Section>
  );
}
