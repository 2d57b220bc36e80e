import { useIntl } from "react-intl";
import { dayMs } from "#core/money/time.ts";
import { countMissing } from "#core/transparency-log/dayLeaf.ts";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Section } from "#ui/Section.tsx";
import type { CheckedReceipt, EvidenceReport } from "#web/features/receipt/check.ts";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { SeedLimits } from "#web/features/receipt/SeedLimits.tsx";

const listClass = "grid list-disc gap-2 pl-5 text-small text-ink-soft marker:text-ink-faint";

/** The limits of a check in this browser, stated as plainly as its results. */
export function Limits({ result }: { result: CheckedReceipt<ReceiptDetail> }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { log, detail, evidence } = result;
  const storedCheckpoint = log?.before;
  const market = detail?.receipt.market;
  const day = (detail?.kind === "contract" ? detail.check.day : null) ?? result.day;
  return (
    <Section title={t("receipt.limits")} kind="plain">
      <ul className={listClass}>
        <li>{t("receipt.limits.operator")}</li>
        {log ? <WitnessLimits witnesses={log.witnesses} /> : null}
        {log ? (
          <li>
            {storedCheckpoint
              ? t("receipt.limits.seen", {
                  size: storedCheckpoint.size,
                  date: formatDate(storedCheckpoint.seenMs, {
                    dateStyle: "medium",
                    timeStyle: "short",
                  }),
                })
              : t("receipt.limits.first")}
          </li>
        ) : null}
        {evidence ? <EvidenceLimits evidence={evidence} /> : null}
        {market ? (
          <li>
            {t(
              ["simulated", "replay", "live"].includes(market.kind)
                ? `receipt.market.${market.kind}`
                : "receipt.market.unknown",
              { speed: market.speed },
            )}
          </li>
        ) : null}
        {market?.kind === "simulated" && detail?.kind === "contract" ? (
          <li>
            <SeedLimits seed={detail.check.seed} />
          </li>
        ) : null}
        {day ? (
          <li>
            {t("receipt.limits.day", {
              missing: countMissing(day),
              due: day.due.count,
              date: formatDate(day.day * dayMs, { dateStyle: "medium", timeZone: "UTC" }),
              voids: day.voids.noEntry + day.voids.fewSamples,
            })}
          </li>
        ) : null}
        <li>{t("receipt.limits.independent")}</li>
      </ul>
      <Fold label={<span className="text-small">{t("receipt.limits.always")}</span>}>
        <ul className={listClass}>
          <li>{t("receipt.limits.always.refused")}</li>
          <li>{t("receipt.limits.always.accounts")}</li>
          <li>{t("receipt.limits.always.clock")}</li>
        </ul>
      </Fold>
    </Section>
  );
}

/** The limits of an evidence file, shown instead of the limits of a followed log. */
function EvidenceLimits({ evidence }: { evidence: EvidenceReport }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { witnesses, key, size, mismatch } = evidence;
  const { configured, count, atMs } = witnesses;
  return (
    <>
      <li>
        {configured === 0
          ? t("receipt.limits.witnesses", { configured, count })
          : t("receipt.limits.evidence.witnesses", { configured, count })}
      </li>
      {atMs === null ? null : (
        <li>
          {t("receipt.limits.witnesses.signed", {
            size,
            date: formatDate(atMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </li>
      )}
      {key === "known" ? <li>{t("receipt.limits.evidence.known")}</li> : null}
      <li>{t("receipt.limits.evidence", { size })}</li>
      {mismatch ? <li>{t("receipt.limits.evidence.found", { ...mismatch })}</li> : null}
    </>
  );
}

type Witnesses = NonNullable<CheckedReceipt<ReceiptDetail>["log"]>["witnesses"];

/** The witnesses that saw the log, how far, and whether that covers this receipt. */
function WitnessLimits({ witnesses }: { witnesses: Witnesses }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { configured, count, size, atMs, covers } = witnesses;
  return (
    <>
      <li>{t("receipt.limits.witnesses", { configured, count })}</li>
      {atMs === null ? null : (
        <li>
          {t("receipt.limits.witnesses.signed", {
            size,
            date: formatDate(atMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </li>
      )}
      {atMs === null || covers ? null : <li>{t("receipt.limits.witnesses.beyond")}</li>}
    </>
  );
}
