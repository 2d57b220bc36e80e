import { useState } from "react";
import { useIntl } from "react-intl";
import type { Preview } from "#api/operator/publishing.ts";
import { getProductList } from "#api/routes/hosting.ts";
import type { PoolBody } from "#core/publishing/bodies.ts";
import { useText } from "#i18n/useText.ts";
import { Choice, NumberField, TextField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { houseSeed } from "#operator/publishing/kinds.ts";
import { Chip } from "#ui/Chip.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useConfig } from "#web/lib/api/useConfig.ts";

const strategies = ["cross", "triangle", "hold"] as const;
const symbolsMax = 3;

/** A hosting pool. Its composition is fixed once it runs; its limits can change. */
export function PoolForm(props: FormProps<PoolBody> & { figures: Preview["figures"] }) {
  const { body, onChange, problems, fixed, figures } = props;
  const { locale } = useIntl();
  const t = useText();
  const problemMessage = useProblemMessage(problems);
  const symbols = useConfig()?.symbols.map(({ name }) => name as string) ?? [];
  const knownVenues = useKnownVenues();
  const getFigure = (name: string) => figures.find((figure) => figure.name === name)?.value ?? "0";
  const formFault = problemMessage("");
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t("publishing.field.pool_id")}
        value={body.pool_id}
        onChange={(id) => onChange({ ...body, pool_id: id.trim() })}
        disabled={fixed}
        max={64}
        hint={t(fixed ? "publishing.fixed" : "publishing.id.hint")}
      />
      <Choice
        label={t("publishing.field.strategy")}
        value={body.strategy}
        onChange={(name) => onChange({ ...body, strategy: name })}
        options={strategies.map((name) => [name, t(`publishing.strategy.${name}`)] as const)}
        disabled={fixed}
      />
      <Picks
        label={t("publishing.field.symbols")}
        value={body.symbols}
        options={fixed ? [] : symbols}
        max={symbolsMax}
        disabled={fixed}
        onChange={(next) => onChange({ ...body, symbols: next })}
      />
      <Picks
        label={t("publishing.field.venues")}
        value={body.venues}
        options={fixed ? [] : knownVenues}
        max={60}
        disabled={fixed}
        onChange={(next) => onChange({ ...body, venues: next })}
      />
      {fixed ? null : (
        <OwnVenue
          onAdd={(venue) =>
            onChange({ ...body, venues: [...new Set([...body.venues, venue])].slice(0, 60) })
          }
        />
      )}
      {formFault ? (
        <p role="alert" className="text-small text-flare">
          {formFault}
        </p>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        {(["minimum", "maximum"] as const).map((name) => (
          <NumberField
            key={name}
            label={t(`publishing.field.${name}`)}
            digits={6}
            unit="pUSDT"
            value={body[name]}
            onChange={(value) => onChange({ ...body, [name]: value })}
            error={problemMessage(name)}
          />
        ))}
      </div>
      {figures.length > 0 ? (
        <p className="rounded-dock bg-leaf px-4 py-3 text-small text-ink-soft">
          {t("publishing.pool.cost", {
            legs: Number(getFigure("pool_legs")),
            cost: formatNumber(getFigure("pool_cycle_cost"), locale),
          })}
        </p>
      ) : null}
      <p className="text-small text-ink-soft">{t("publishing.pool.seed", { seed: houseSeed })}</p>
    </div>
  );
}

/** Venues of the existing pools; others can be typed. */
function useKnownVenues(): string[] {
  const { data } = useApiQuery(getProductList, {}, { staleMs: 60_000 });
  return [...new Set(data?.items.flatMap(({ venues }) => venues) ?? [])].toSorted();
}

interface PicksProps {
  label: string;
  value: readonly string[];
  options: readonly string[];
  max: number;
  disabled: boolean;
  onChange: (chosen: string[]) => void;
}

/** A selection from a list, in the order of choosing. */
function Picks({ label, value, options, max, disabled, onChange }: PicksProps) {
  const symbolNames = [...new Set([...options, ...value])];
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-x-2 gap-y-1">
      <legend className="pb-1 text-small font-strong">{label}</legend>
      {symbolNames.map((option) => {
        const selected = value.includes(option);
        return (
          <Chip
            key={option}
            selected={selected}
            disabled={disabled || (!selected && value.length >= max)}
            onClick={() =>
              onChange(
                selected
                  ? value.filter((chosenOption) => chosenOption !== option)
                  : [...value, option],
              )
            }
          >
            {option}
          </Chip>
        );
      })}
    </fieldset>
  );
}

function OwnVenue({ onAdd }: { onAdd: (venue: string) => void }) {
  const t = useText();
  const [text, setText] = useState("");
  const add = () => {
    const venue = text.trim().slice(0, 64);
    if (venue !== "") onAdd(venue);
    setText("");
  };
  return (
    <Field label={t("publishing.venue.other")} hint={t("publishing.venue.hint")}>
      <TextInput
        value={text}
        onChange={setText}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  );
}
