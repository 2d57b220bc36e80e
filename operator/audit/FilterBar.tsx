import type { OperatorView } from "#api/operator/operators.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import { useText } from "#i18n/useText.ts";
import { useAuditEventTitle } from "#operator/app/AuditEventList.tsx";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";

export interface Filters {
  action: string;
  operator: string;
  /** Opaque id of a person, as typed. */
  person: string;
  /** Days as `2026-01-31`, in this browser's time zone. */
  fromDay: string;
  toDay: string;
}

export const noFilters: Filters = { action: "", operator: "", person: "", fromDay: "", toDay: "" };

/**
 * The call's input for the filters: empty filters are omitted; the last day is included in full.
 */
export function toQuery({ action, operator, person, fromDay, toDay }: Filters) {
  const fromMs = fromDay === "" ? Number.NaN : new Date(`${fromDay}T00:00:00`).getTime();
  const toMs = toDay === "" ? Number.NaN : new Date(`${toDay}T23:59:59.999`).getTime();
  return {
    ...(action === "" ? {} : { what: action }),
    ...(operator === "" ? {} : { operator_id: operator }),
    ...(person.trim() === "" ? {} : { touches: person.trim().slice(0, 64) }),
    ...(Number.isNaN(fromMs) ? {} : { from_ms: fromMs }),
    ...(Number.isNaN(toMs) ? {} : { to_ms: toMs }),
  };
}

interface Props {
  filters: Filters;
  operators: readonly OperatorView[];
  onChange: (filters: Filters) => void;
}

export function FilterBar({ filters, operators, onChange }: Props) {
  const t = useText();
  const title = useAuditEventTitle();
  const set = (change: Partial<Filters>) => onChange({ ...filters, ...change });
  return (
    <div className="grid grid-cols-2 gap-3 p-4 wide:grid-cols-5">
      <div className="col-span-2 wide:col-span-1">
        <Field label={t("console.audit.what")}>
          <Choice
            value={filters.action}
            onChange={(what) => set({ action: what })}
            allLabel={t("console.audit.all")}
            options={auditEventNames.map((name) => [name, title(name)])}
          />
        </Field>
      </div>
      <Field label={t("console.audit.operator")}>
        <Choice
          value={filters.operator}
          onChange={(operator) => set({ operator })}
          allLabel={t("console.audit.all")}
          options={operators.map(({ operator_id: id, name }) => [id, name ?? id.slice(0, 8)])}
        />
      </Field>
      <Field label={t("console.audit.person")}>
        <TextInput
          value={filters.person}
          onChange={(person) => set({ person })}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={t("console.audit.from")}>
        <TextInput
          type="date"
          value={filters.fromDay}
          onChange={(from) => set({ fromDay: from })}
        />
      </Field>
      <Field label={t("console.audit.to")}>
        <TextInput type="date" value={filters.toDay} onChange={(to) => set({ toDay: to })} />
      </Field>
    </div>
  );
}

interface ChoiceProps {
  value: string;
  onChange: (value: string) => void;
  allLabel: string;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ value, onChange, allLabel, options }: ChoiceProps) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={inputClass}
    >
      <option value="">{allLabel}</option>
      {options.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
