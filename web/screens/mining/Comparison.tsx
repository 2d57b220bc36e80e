import { useState } from "react";
import { FormattedNumber } from "react-intl";
import type { Machine } from "#api/mining.ts";
import { useText } from "#i18n/useText.ts";
import { Explained } from "#ui/Explained.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { type SortKey, sortKeys, sortMachines } from "./sortMachines.ts";

/**
 * All machines in one table for comparison, sorted by what would be left, price or efficiency.
 * Scrolls horizontally on narrow screens; the result is beside the name, so that it is seen without
 * scrolling.
 */
export function Comparison({ machines }: { machines: readonly Machine[] }) {
  const t = useText();
  const [by, setBy] = useState<SortKey>("leaves");
  const losing = machines.filter(({ expected }) => expected?.net.startsWith("-")).length;
  const head = ["leaves", "pricePerDay", "powerPerDay", "wouldBring"] as const;
  return (
    <Section title={t("mining.compare")} note={t("mining.compare.note")} kind="plain">
      <p className="pb-3">
        {t("mining.leasing")} {t("mining.losing", { losing, all: machines.length })}
      </p>
      <Segmented
        label={t("mining.sort")}
        value={by}
        onChange={setBy}
        options={sortKeys.map((value) => ({ value, label: t(`mining.sort.${value}`) }))}
      />
      <div
        className="relative -mx-4 mt-2 overflow-x-auto px-4"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable
      >
        <table className="w-full min-w-140 text-small">
          <thead>
            <tr className="border-b border-line text-right align-bottom text-caption text-ink-faint">
              <th scope="col" className="py-2 pr-3 text-left font-normal">
                {t("mining.machine")}
              </th>
              {head.map((name) => (
                <th key={name} scope="col" className="py-2 pl-3 font-normal">
                  {t(`mining.${name}`)}
                </th>
              ))}
              <th scope="col" className="py-2 pl-3 font-normal">
                <Explained text={t("mining.word.efficiency")}>J/TH</Explained>
              </th>
            </tr>
          </thead>
          <tbody className="hairlines">
            {sortMachines(machines, by).map((machine) => (
              <tr key={machine.product_id} className="text-right">
                <th scope="row" className="py-2.5 pr-3 text-left font-normal">
                  <Link
                    to={`/mining/mechine-buy?product_id=${encodeURIComponent(machine.product_id)}`}
                    className="-my-2.5 inline-flex min-h-11 items-center text-signal-ink hover:underline"
                  >
                    {machine.model}
                  </Link>
                </th>
                <td className="pl-3 font-strong">
                  {machine.expected ? (
                    <Amount
                      short="worth"
                      value={machine.expected.net}
                      coin="pUSDT"
                      bare
                      signed
                      toned
                    />
                  ) : (
                    "—"
                  )}
                </td>
                <td className="pl-3">
                  <Amount short="cost" value={machine.price_per_day} coin="pUSDT" bare />
                </td>
                <td className="pl-3">
                  <Amount short="cost" value={machine.power_per_day} coin="pUSDT" bare />
                </td>
                <td className="pl-3">
                  {machine.expected ? (
                    <Amount short="worth" value={machine.expected.worth} coin="pUSDT" bare />
                  ) : (
                    "—"
                  )}
                </td>
                <td className="pl-3">
                  <FormattedNumber value={Number(machine.joules_per_th)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
