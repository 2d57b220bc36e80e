import type { HistoryAnswer } from "#api/hosting/historyTest.ts";
import type { Pool } from "#api/hosting/pool.ts";
import { isSymbol } from "#core/market/symbols.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { Link } from "#ui/router.tsx";
import { useHistoryCheck } from "./useHistoryCheck.ts";

interface CheckProps {
  pool: Pool;
  test: NonNullable<HistoryAnswer["test"]>;
  inputs: NonNullable<HistoryAnswer["inputs"]>;
}

/**
 * How anyone can repeat a pool's test: from the revealed seed in this browser, or over the
 * recording that the world names.
 */
export function HistoryCheck({ pool, test, inputs }: CheckProps) {
  const t = useText();
  if (inputs.kind === "recording")
    return (
      <div className="flex flex-col items-start gap-2 text-small text-ink-soft">
        <p>{t("hosting.before.recorded")}</p>
        <Hash value={inputs.sha256} label="SHA-256" />
        <Link
          to="/ai/intro?do=history"
          className={buttonClass({ variant: "outline", size: "small" })}
        >
          {t("hosting.before.own")}
        </Link>
      </div>
    );
  if (inputs.reveal_leaf === null)
    return <p className="text-small text-ink-soft">{t("hosting.before.later")}</p>;
  return <Again pool={pool} test={test} begin={inputs.begin_leaf} reveal={inputs.reveal_leaf} />;
}

interface AgainProps extends Omit<CheckProps, "inputs"> {
  begin: number;
  reveal: number;
}

function Again({ pool, test, begin, reveal }: AgainProps) {
  const t = useText();
  const { state, start } = useHistoryCheck();
  const press = () => {
    const { strategy, venues } = pool;
    const symbols = pool.symbols.filter(isSymbol);
    const wholeUnits = BigInt(test.start.split(".")[0] ?? "0");
    void start({
      begin,
      reveal,
      pool: { config: { strategy, venues, symbols, home: "USDT" }, start: wholeUnits },
      test,
    });
  };
  return (
    <div className="flex flex-col gap-2">
      <Button variant="outline" size="small" busy={state === "busy"} onClick={press}>
        {t("hosting.before.check")}
      </Button>
      <output className="text-small">
        {state === "idle"
          ? null
          : state === "busy"
            ? t("hosting.before.busy")
            : t(`hosting.before.${state}`)}
      </output>
    </div>
  );
}
