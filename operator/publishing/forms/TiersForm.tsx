import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Bodies, Preview } from "#api/operator/publishing.ts";
import type { WireTier } from "#core/contracts/wireTier.ts";
import { useText } from "#i18n/useText.ts";
import { Choice, NumberField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { TierFigures } from "#operator/publishing/forms/TierFigures.tsx";
import { createTier } from "#operator/publishing/kinds.ts";
import { Button } from "#ui/Button.tsx";
import { useConfig } from "#web/lib/api/useConfig.ts";

type TiersBody = Bodies["contract_tiers"];
const tiersMax = 20;

/** The terms of one contract, tier by tier, each with its key figures. */
export function TiersForm(
  props: FormProps<TiersBody> & { figures: Preview["figures"]; isStale: boolean },
) {
  const { body, onChange, problems, fixed, figures, isStale } = props;
  const t = useText();
  const symbols = useConfig()?.symbols.map(({ name }) => name as string) ?? [];
  const problemMessage = useProblemMessage(problems);
  // A tier has no identity: stable numbers keep each input with its tier when one is
  // removed.
  const [numbers, setNumbers] = useState(() => body.tiers.map((_, index) => index));
  const setTiers = (tiers: WireTier[]) => onChange({ ...body, tiers });
  const offeredSymbols = symbols.includes(body.symbol) ? symbols : [body.symbol, ...symbols];
  return (
    <div className="flex flex-col gap-4">
      <Choice
        label={t("publishing.field.symbol")}
        value={body.symbol}
        onChange={(symbol) => onChange({ ...body, symbol })}
        options={offeredSymbols.map((name) => [name, name] as const)}
        disabled={fixed}
        hint={fixed ? t("publishing.fixed") : undefined}
        error={problemMessage("symbol")}
      />
      {body.tiers.map((tier, index) => (
        <TierFields
          key={numbers[index] ?? index}
          index={index}
          tier={tier}
          onChange={(next) =>
            setTiers(body.tiers.map((item, position) => (position === index ? next : item)))
          }
          onRemove={() => {
            setTiers(body.tiers.filter((_, position) => position !== index));
            setNumbers(numbers.filter((_, position) => position !== index));
          }}
          problemMessage={problemMessage}
          figures={figures}
          isStale={isStale}
        />
      ))}
      {problemMessage("tiers") ? (
        <p role="alert" className="text-small text-flare">
          {problemMessage("tiers")}
        </p>
      ) : null}
      {body.tiers.length < tiersMax ? (
        <div>
          <Button
            variant="outline"
            size="small"
            icon={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => {
              setNumbers([...numbers, Math.max(-1, ...numbers) + 1]);
              setTiers([...body.tiers, createTier(nextSeconds(body.tiers))]);
            }}
          >
            {t("publishing.tier.add")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** The first usual duration not used yet. */
function nextSeconds(tiers: readonly WireTier[]): number {
  const usualSeconds = [60, 300, 900, 3_600, 86_400];
  return usualSeconds.find((item) => tiers.every(({ seconds }) => seconds !== item)) ?? 1_800;
}

interface TierFieldsProps {
  index: number;
  tier: WireTier;
  onChange: (tier: WireTier) => void;
  onRemove: () => void;
  problemMessage: (at: string) => string | undefined;
  figures: Preview["figures"];
  isStale: boolean;
}

function TierFields({
  index,
  tier,
  onChange,
  onRemove,
  problemMessage,
  figures,
  isStale,
}: TierFieldsProps) {
  const t = useText();
  const integerField = (name: "seconds" | "range_bp" | "rate_bp" | "fee_bp", unit: string) => (
    <NumberField
      label={t(`publishing.field.${name}`)}
      digits={0}
      unit={unit}
      value={String(tier[name])}
      onChange={(value) => onChange({ ...tier, [name]: Number(value) })}
      error={problemMessage(`tiers.${index}.${name}`)}
    />
  );
  const amount = (name: "stake_min" | "stake_max") => (
    <NumberField
      label={t(`publishing.field.${name}`)}
      digits={6}
      unit="pUSDT"
      value={tier[name]}
      onChange={(value) => onChange({ ...tier, [name]: value })}
      error={problemMessage(`tiers.${index}.${name}`)}
    />
  );
  return (
    <section
      aria-label={t("publishing.tier", { number: index + 1 })}
      className="overflow-hidden rounded-dock border border-line wide:grid wide:grid-cols-[minmax(0,1fr)_320px]"
    >
      <div className="min-w-0">
        <div className="flex items-center justify-between gap-3 pt-1 pr-1 pl-4">
          <h2 className="font-strong">{t("publishing.tier", { number: index + 1 })}</h2>
          <Button
            variant="quiet"
            size="small"
            icon={<IconTrash size={18} aria-hidden="true" />}
            onClick={onRemove}
          >
            {t("publishing.tier.remove")}
          </Button>
        </div>
        <div className="grid grid-cols-2 gap-x-3 gap-y-4 p-4 pt-2 wide:grid-cols-3">
          {integerField("seconds", "s")}
          {integerField("range_bp", "bp")}
          {integerField("rate_bp", "bp")}
          {integerField("fee_bp", "bp")}
          {amount("stake_min")}
          {amount("stake_max")}
          <div className="col-span-2 wide:col-span-3">
            <NumberField
              label={t("publishing.field.orders_per_day")}
              digits={0}
              value={tier.orders_per_day === null ? "" : String(tier.orders_per_day)}
              onChange={(value) =>
                onChange({ ...tier, orders_per_day: value === "" ? null : Number(value) })
              }
              hint={t("publishing.tier.noLimit")}
              error={problemMessage(`tiers.${index}.orders_per_day`)}
            />
          </div>
        </div>
      </div>
      <TierFigures path={`tiers.${index}`} figures={figures} isStale={isStale} />
    </section>
  );
}
