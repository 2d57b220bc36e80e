import { useIntl } from "react-intl";
import { getNetwork } from "#api/routes/mining.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Explained } from "#ui/Explained.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import type { Network } from "./figures.ts";

const refetchMs = 15_000;

/** The network, refetched while on screen. */
export function useNetwork() {
  return useApiQuery(getNetwork, {}, { refetchMs });
}

/** Difficulty in its usual unit: "86.39 T". */
function useDifficulty(): (difficulty: string) => string {
  const { formatNumber } = useIntl();
  return (difficulty) =>
    `${formatNumber(Number(difficulty) / 1e12, { maximumFractionDigits: 2, minimumFractionDigits: 2 })} T`;
}

/** The figures that determine payouts now, and the progress of this difficulty epoch. */
export function NetworkPanel() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const network = useNetwork();
  return (
    <Section
      title={t("mining.network")}
      note={network.data ? t(`mining.network.${network.data.source}`) : undefined}
    >
      {network.data ? (
        <Figures network={network.data} />
      ) : network.error ? (
        <div className="p-4">
          <ErrorNote busy={network.isFetching} onRetry={() => void network.refetch()}>
            {errorMessage(network.error)}
          </ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={5} />
      )}
    </Section>
  );
}

function Figures({ network }: { network: Network }) {
  const { formatNumber, formatDate } = useIntl();
  const t = useText();
  const difficulty = useDifficulty();
  const { epoch, halving } = network;
  const doneText = t("mining.epoch.done", { done: epoch.blocks_done, blocks: epoch.blocks });
  return (
    <>
      <Row
        label={t("mining.height")}
        value={formatNumber(network.height)}
        hint={t("mining.readAt", {
          time: formatDate(network.read_at_ms, { dateStyle: "medium", timeStyle: "short" }),
        })}
      />
      <Row
        label={<Explained text={t("mining.word.difficulty")}>{t("mining.difficulty")}</Explained>}
        hint={<Explained text={t("mining.word.hashrate")}>{t("mining.networkHashrate")}</Explained>}
        value={difficulty(network.difficulty)}
        valueHint={`${formatNumber(Number(network.hashrate_ehs), { maximumFractionDigits: 1 })} EH/s`}
      />
      <div className="px-4 py-3">
        <div className="mb-2 flex justify-between gap-3">
          <span>{t("mining.epoch")}</span>
          <span className="text-small text-ink-soft">{doneText}</span>
        </div>
        <Progress
          value={(100 * epoch.blocks_done) / epoch.blocks}
          label={t("mining.epoch")}
          text={doneText}
        />
        <div className="mt-2 flex flex-wrap justify-between gap-x-3 text-small">
          <span className="text-ink-soft">{t("mining.nextChange")}</span>
          {epoch.next_change_bp === null || epoch.next_at_ms === null ? (
            <span className="text-ink-faint">{t("mining.nextChange.none")}</span>
          ) : (
            <span className="flex gap-2">
              <Plain bp={epoch.next_change_bp} />
              <span className="text-ink-soft">
                {formatDate(epoch.next_at_ms, { day: "numeric", month: "short" })}
              </span>
            </span>
          )}
        </div>
      </div>
      <Row
        label={t("mining.perTh")}
        hint={t("mining.perTh.hint")}
        value={`${formatNumber(Number(network.per_th_day_sat), { maximumFractionDigits: 4 })} sat`}
        valueHint={
          network.history.length > 1 ? (
            <Sparkline
              values={network.history.map((point) => point[3])}
              label={t("mining.perTh.history", { count: network.history.length })}
            />
          ) : undefined
        }
      />
      <Row
        label={<Explained text={t("mining.word.halving")}>{t("mining.halving")}</Explained>}
        hint={t("mining.halving.at", { height: formatNumber(halving.height) })}
        value={t("mining.blocksLeft", { count: halving.blocks_left })}
      />
      <Link
        to="/verify?part=log"
        className="flex min-h-11 items-center px-4 text-small text-signal-ink"
      >
        {t("mining.network.check", { leaf: network.leaf })}
      </Link>
    </>
  );
}

/** A higher difficulty is not a gain, so the change has no colour. */
function Plain({ bp }: { bp: number }) {
  return <Change bp={bp} className="text-ink!" />;
}
