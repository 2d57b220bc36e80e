import { useDeferredValue, useState } from "react";
import type { ErrorGroup } from "#api/operator/instance.ts";
import { getErrors } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { ClearSheet } from "#operator/instance/ClearSheet.tsx";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { QueryState } from "#operator/instance/QueryState.tsx";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Section } from "#ui/Section.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

const pageSize = 25;
const dayChoices = [1, 7, 30];

/** Script errors that browsers reported: to search, filter, export and delete by age. */
export default function ErrorsPage() {
  const t = useText();
  const [search, setSearch] = useState("");
  const [type, setType] = useState("");
  const [days, setDays] = useState(7);
  const [clearing, setClearing] = useState(false);
  const mayClear = useMayChange("instance.settings");
  const searched = useDeferredValue(search.trim());
  const list = useApiPages(
    getErrors,
    {
      days,
      page_size: pageSize,
      ...(searched === "" ? {} : { search: searched }),
      ...(type === "" ? {} : { type }),
    },
    { keepPrevious: true, refetchMs: 15_000 },
  );
  return (
    <ConsolePage
      title={t("console.nav.errors")}
      lead={t("instance.errors.lead")}
      actions={
        <span className="flex items-center gap-4">
          <ExportLink table="errors" title={t("console.nav.errors")} />
          {mayClear ? (
            <Button variant="outline" size="small" onClick={() => setClearing(true)}>
              {t("instance.errors.clear")}
            </Button>
          ) : null}
        </span>
      }
    >
      <div className="grid grid-cols-2 gap-3 p-4 wide:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 wide:col-span-1">
          <Field label={t("instance.errors.search")}>
            <TextInput type="search" value={search} maxLength={100} onChange={setSearch} />
          </Field>
        </div>
        <Field label={t("instance.errors.type")}>
          <Choice
            value={type}
            onChange={setType}
            options={[
              ["", t("instance.errors.allTypes")],
              ...(list.first?.types ?? []).map((name) => [name, name] as const),
            ]}
          />
        </Field>
        <Field label={t("instance.errors.within")}>
          <Choice
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
            options={dayChoices.map((count) => [
              String(count),
              t("instance.errors.days", { count }),
            ])}
          />
        </Field>
      </div>
      <QueryState query={{ ...list, data: list.first }}>
        {(answer) => (
          <Section
            title={t("instance.errors.reports", { count: answer.reports })}
            {...(answer.cut ? { note: t("instance.errors.cut") } : {})}
          >
            <PagedList
              list={list}
              keyOf={(group) => `${group.type} ${group.code} ${group.message} ${group.page_url}`}
              className="hairlines"
              empty={<Empty title={t("instance.errors.none")} />}
            >
              {(group) => <Group group={group} />}
            </PagedList>
          </Section>
        )}
      </QueryState>
      <ClearSheet isOpen={clearing} onClose={() => setClearing(false)} />
    </ConsolePage>
  );
}

function Group({ group }: { group: ErrorGroup }) {
  const t = useText();
  const { count, moment } = useFigures();
  return (
    <article className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-3">
      <h3 className="text-small font-strong break-words">{group.message || group.code}</h3>
      <p className="text-right font-strong tabular-nums">
        <span className="sr-only">{t("instance.errors.count")} </span>
        {count(group.count)}
      </p>
      <p className="text-caption break-all text-ink-soft">
        {group.type} · {group.code} · {group.page_url}
      </p>
      <p className="text-right text-caption whitespace-nowrap text-ink-faint tabular-nums">
        {moment(group.last_ms)}
      </p>
      <p className="col-span-2 text-caption text-ink-faint">
        {t("instance.errors.since", {
          time: moment(group.first_ms),
          versions: group.versions.join(", "),
        })}
      </p>
    </article>
  );
}

interface ChoiceProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ value, onChange, options }: ChoiceProps) {
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={inputClass}
    >
      {options.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  );
}
