import { useText } from "#i18n/useText.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import type { PoolRunProps } from "./PoolRunView.tsx";
import { RunButton } from "./RunButton.tsx";

const load = () => import("./PoolRunView.tsx");
const PoolRunView = deferredComponent(load);

/** Runs the pool from every start in its history. */
export default function TryPoolButton(pool: PoolRunProps) {
  const t = useText();
  return (
    <RunButton
      label={t("monte-carlo.pool.try")}
      title={t("monte-carlo.pool.title")}
      text={t("monte-carlo.pool.text")}
      load={load}
    >
      <PoolRunView {...pool} />
    </RunButton>
  );
}
