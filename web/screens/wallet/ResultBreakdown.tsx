import { type ReactNode, useState } from "react";
import {
  type AccountResult,
  type AccountState,
  feeSources,
  inflows,
  outflows,
  type ResultPart,
  resultParts,
  spreadSources,
} from "#core/records/accountResult.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Link } from "#ui/router.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import LuckText from "#web/features/money/LuckText.tsx";
import { type AccountView, useAccount } from "#web/features/money/useAccount.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** `/wallet?do=where`: from the start to now, as one picture and as a table of the same lines. */
export default function ResultBreakdown() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { view, query } = useAccount();
  if (query.error && !query.data) {
    return (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      </div>
    );
  }
  if (!query.data) return <SkeletonRows count={8} />;
  if (!view) return <p className="px-4 py-8 text-small text-ink-soft">{t("results.where.none")}</p>;
  return (
    <div className="px-4">
      <p className="pb-4 text-small text-ink-soft">{t("results.where.text")}</p>
      <Picture view={view} />
      <Lines view={view} />
      <p className="mt-3 text-small text-ink-soft">{t("results.where.sum")}</p>
      <LuckText className="mt-4" />
    </div>
  );
}

const width = 320;

/**
 * Two bars on one scale: what came in above, and the current total below. Between them the parts of
 * the result, on a separate scale because they are small beside the rest.
 */
function Picture({ view }: { view: AccountView }) {
  const t = useText();
  const { state, result } = view;
  const widthMax = findLargest([result.broughtIn, result.total + result.takenOut]);
  const x = (amount: bigint) => Number((amount * BigInt(width) * 100n) / widthMax) / 100;
  const widest = findLargest(resultParts.map((part) => size(result.parts[part])));
  const toHalfWidth = (amount: bigint) =>
    Number((size(amount) * BigInt(width) * 50n) / widest) / 100;
  const amounts = [state.free, result.atWork, state.held];
  const barLooks = ["text-ink", "text-ink-faint", "text-line-strong"];
  const rowHeight = 14;
  const foot = 26 + resultParts.length * rowHeight;
  let from = 0;
  const start = <DisplayAmount key="start" view={view} value={result.broughtIn} />;
  const total = <DisplayAmount key="total" view={view} value={result.total} />;
  return (
    <figure className="mb-3">
      <figcaption className="sr-only">{t("results.where.picture", { start, total })}</figcaption>
      <svg viewBox={`0 0 ${width} ${foot + 12}`} className="w-full" aria-hidden="true">
        <rect
          x={0}
          y={0}
          width={x(result.broughtIn)}
          height={12}
          rx={2}
          fill="currentColor"
          className="text-ink-soft"
        />
        <line
          x1={width / 2}
          x2={width / 2}
          y1={17}
          y2={foot - 5}
          stroke="currentColor"
          className="text-line-strong"
        />
        {resultParts.map((part, row) => {
          const amount = result.parts[part];
          const length = toHalfWidth(amount);
          const isLoss = amount < 0n;
          return (
            <g key={part}>
              <rect
                x={isLoss ? width / 2 - length : width / 2}
                y={20 + row * rowHeight}
                width={length}
                height={9}
                fill="currentColor"
                className={isLoss ? "text-fall" : "text-rise"}
              />
              <text
                x={width / 2 + (isLoss ? 5 : -5)}
                y={28 + row * rowHeight}
                textAnchor={isLoss ? "start" : "end"}
                fontSize="9"
                fill="currentColor"
                className="text-ink-soft"
              >
                {t(`results.part.${part}`)}
              </text>
            </g>
          );
        })}
        {amounts.map((amount, part) => {
          const startX = from;
          from += x(amount);
          return (
            <rect
              key={barLooks[part]}
              x={startX}
              y={foot}
              width={x(amount)}
              height={12}
              fill="currentColor"
              className={barLooks[part]}
            />
          );
        })}
        <rect
          x={from}
          y={foot + 0.5}
          width={x(result.takenOut)}
          height={11}
          fill="none"
          strokeDasharray="3 2"
          stroke="currentColor"
          className="text-ink-soft"
        />
      </svg>
      <p className="mt-1 text-caption text-ink-faint" aria-hidden="true">
        {t("results.where.scale")}
      </p>
    </figure>
  );
}

const size = (amount: bigint) => (amount < 0n ? -amount : amount);
const findLargest = (amounts: readonly bigint[]) =>
  amounts.reduce((best, amount) => (amount > best ? amount : best), 1n);

interface Line {
  name: string;
  label: string;
  hint?: string;
  amount: bigint;
  /** The records group of its postings; null: the line's parts have their own. */
  group: string | null;
  of: { label: string; amount: bigint; group: string }[];
}

/** The same as a table; every line opens its postings, or what it consists of. */
function Lines({ view }: { view: AccountView }) {
  const t = useText();
  const { state, result } = view;
  const [showsAll, setShowsAll] = useState(false);
  const lines = [...flowLines(view, t), ...partLines(state, result, t)];
  return (
    <table className="w-full text-small">
      <caption className="sr-only">{t("results.where")}</caption>
      <tbody className="hairlines">
        {lines.map((line) => (
          <Entry key={line.name} line={line} view={view} whole={showsAll} />
        ))}
        <tr className="border-t border-line-strong font-strong">
          <th scope="row" className="py-3 text-left">
            {t("results.total")}
          </th>
          <td className="py-3 text-right">
            <button
              type="button"
              className="min-h-11"
              aria-pressed={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              <DisplayAmount view={view} value={result.total} isExact={showsAll} />
            </button>
          </td>
        </tr>
        {[
          ["free", state.free],
          ["work", result.atWork],
          ["held", state.held],
        ].map(([name, amount]) => (
          <tr key={String(name)} className="text-ink-soft">
            <th scope="row" className="py-2 pl-4 text-left font-normal">
              {t(`results.${String(name)}`)}
            </th>
            <td className="py-2 text-right">
              <DisplayAmount view={view} value={amount as bigint} isExact={showsAll} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Entry({ line, view, whole }: { line: Line; view: AccountView; whole: boolean }) {
  const t = useText();
  const postings = (label: ReactNode, group: string, name: string) => (
    <Link
      to={`/wallet-record?group=${group}`}
      aria-label={t("results.postings", { part: name })}
      className="-mx-1 inline-flex min-h-11 items-center px-1 text-signal-ink hover:underline"
    >
      {label}
    </Link>
  );
  const isChange = line.name.startsWith("part.");
  const rest = line.of.filter(({ amount }) => amount !== 0n);
  return (
    <>
      <tr>
        <th scope="row" className="py-1 pr-3 text-left font-normal">
          {line.group === null ? (
            <span className="inline-flex min-h-11 items-center">{line.label}</span>
          ) : (
            postings(line.label, line.group, line.label)
          )}
          {line.hint ? (
            <span className="block text-caption text-ink-faint">{line.hint}</span>
          ) : null}
        </th>
        <td className={cx("py-1 text-right align-top", isChange && "font-strong")}>
          <span className="inline-flex min-h-11 items-center">
            <DisplayAmount view={view} value={line.amount} signed={isChange} isExact={whole} />
          </span>
        </td>
      </tr>
      {rest.map(({ label, amount, group }) => (
        <tr key={group} className="text-ink-soft">
          <th scope="row" className="pl-4 text-left font-normal">
            {postings(label, group, `${line.label}: ${label}`)}
          </th>
          <td className="text-right">
            <DisplayAmount view={view} value={amount} isExact={whole} />
          </td>
        </tr>
      ))}
    </>
  );
}

type Text = ReturnType<typeof useText>;

/** Record groups of each kind of inflow and outflow. */
const getGroup = {
  start: "attempt",
  recharge: "recharge",
  transfer: "transfer",
  reward: "reward",
  withdraw: "withdraw",
  contract: "contract",
  exchange: "exchange",
} as const;

function flowLines({ state }: AccountView, t: Text): Line[] {
  const inflowParts = inflows.map((name) => ({
    name: `in.${name}`,
    label: t(`results.in.${name}`),
    amount: state.broughtIn[name],
    group: getGroup[name],
    of: [],
  }));
  const outflowLines = outflows.map((name) => ({
    name: `out.${name}`,
    label: t(`results.out.${name}`),
    amount: -state.takenOut[name],
    group: getGroup[name],
    of: [],
  }));
  return [...inflowParts, ...outflowLines].filter(({ amount }) => amount !== 0n);
}

const partGroup: Record<ResultPart, string | null> = {
  fees: null,
  spread: null,
  luck: "contract",
  hosting: "hosting",
  mining: "mining",
  price: "exchange",
};

function partLines(state: AccountState, { parts }: AccountResult, t: Text): Line[] {
  const source = (name: "contract" | "exchange" | "withdraw", amount: bigint) => ({
    label: t(`results.source.${name}`),
    amount: -amount,
    group: getGroup[name],
  });
  return resultParts.map((part) => ({
    name: `part.${part}`,
    label: t(`results.part.${part}`),
    hint: t(`results.part.${part}.text`),
    amount: parts[part],
    group: partGroup[part],
    of:
      part === "fees"
        ? feeSources.map((name) => source(name, state.fees[name]))
        : part === "spread"
          ? spreadSources.map((name) => source(name, state.spread[name]))
          : [],
  }));
}
