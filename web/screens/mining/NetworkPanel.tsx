import { useIntl } from "react-intl";
import { Link } from "react-router";
import { getNetwork } from "#api/routes/mining.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Change } from "#ui/figures/Change.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { Sparkline } from "#ui/figures/Sparkline.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import type { Network } from "./figures.ts";

const againMs = 15_000;

/** The network, asked again while it is on screen. */
export function useNetwork() {
  return useCall(getNetwork, {}, { refetchMs: againMs });
}

/** Difficulty in its usual unit: "86.39 T". */
function useDifficulty(): (difficulty: string) => string {
  const { formatNumber } = useIntl();
  return (difficulty) =>
    `${formatNumber(Number(difficulty) / 1e12, { maximumFractionDigits: 2, minimumFractionDigits: 2 })} T`;
}

/** The figures that decide payouts now, and where this difficulty epoch stands. */
export function NetworkPanel() {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const network = useNetwork();
  return (
    <Section
      title={formatMessage({ id: "mining.network" })}
      note={
        network.data ? formatMessage({ id: `mining.network.${network.data.source}` }) : undefined
      }
    >
      {network.data ? (
        <Figures network={network.data} />
      ) : network.error ? (
        <div className="p-4">
          <ErrorNote busy={network.isFetching} onRetry={() => void network.refetch()}>
            {sentence(network.error)}
          </ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={5} />
      )}
    </Section>
  );
}

function Figures({ network }: { network: Network }) {
  const { formatMessage, formatNumber, formatDate } = useIntl();
  const difficulty = useDifficulty();
  const say = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const { epoch, halving } = network;
  const done = say("mining.epoch.done", { done: epoch.blocks_done, blocks: epoch.blocks });
  return (
    <>
      <Row
        label={say("mining.height")}
        value={formatNumber(network.height)}
        hint={say("mining.readAt", {
          time: formatDate(network.read_at_ms, { dateStyle: "medium", timeStyle: "short" }),
        })}
      />
      <Row
        label={say("mining.difficulty")}
        hint={say("mining.networkHashrate")}
        value={difficulty(network.difficulty)}
        valueHint={`${formatNumber(Number(network.hashrate_ehs), { maximumFractionDigits: 1 })} EH/s`}
      />
      <div className="px-4 py-3">
        <div className="mb-2 flex justify-between gap-3">
          <span>{say("mining.epoch")}</span>
          <span className="text-small text-ink-soft">{done}</span>
        </div>
        <Progress
          value={(100 * epoch.blocks_done) / epoch.blocks}
          label={say("mining.epoch")}
          text={done}
        />
        <div className="mt-2 flex flex-wrap justify-between gap-x-3 text-small">
          <span className="text-ink-soft">{say("mining.nextChange")}</span>
          {epoch.next_change_bp === null || epoch.next_at_ms === null ? (
            <span className="text-ink-faint">{say("mining.nextChange.none")}</span>
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
        label={say("mining.perTh")}
        hint={say("mining.perTh.hint")}
        value={`${formatNumber(Number(network.per_th_day_sat), { maximumFractionDigits: 4 })} sat`}
        valueHint={
          network.history.length > 1 ? (
            <Sparkline
              values={network.history.map((point) => point[3])}
              label={say("mining.perTh.history", { count: network.history.length })}
            />
          ) : undefined
        }
      />
      <Row
        label={say("mining.halving")}
        hint={say("mining.halving.at", { height: formatNumber(halving.height) })}
        value={say("mining.blocksLeft", { count: halving.blocks_left })}
      />
      <Link
        to="/verify?part=log"
        className="flex min-h-11 items-center px-4 text-small text-signal-ink"
      >
        {say("mining.network.check", { leaf: network.leaf })}
      </Link>
    </>
  );
}

/** A higher difficulty is no gain: the change stands without a colour. */
function Plain({ bp }: { bp: number }) {
  return <Change bp={bp} className="text-ink!" />;
}
