import { localeNames } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { Change } from "#ui/figures/Change.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

/** Language, theme and the colour of a rise, stored in this browser. */
export function Settings() {
  const t = useText();
  const { language, theme, habit } = useSettings();
  return (
    <Section title={t("account.settings")}>
      <Row to="/language" label={t("app.language.title")} value={localeNames[language]} />
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{t("account.theme")}</p>
        <Segmented
          uneven
          label={t("account.theme")}
          value={theme}
          onChange={(next) => changeSettings({ theme: next })}
          options={[
            { value: "system", label: t("account.theme.system") },
            { value: "light", label: t("account.theme.light") },
            { value: "dark", label: t("account.theme.dark") },
          ]}
        />
      </div>
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{t("account.habit")}</p>
        <Segmented
          uneven
          label={t("account.habit")}
          value={habit}
          onChange={(next) => changeSettings({ habit: next })}
          options={[
            { value: "locale", label: t("account.habit.locale") },
            { value: "green-up", label: t("account.habit.green") },
            { value: "red-up", label: t("account.habit.red") },
          ]}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 text-small text-ink-faint">{t("account.habit.hint")}</p>
          {/* Uses the same token as every result, so the choice shows immediately. */}
          <span className="flex gap-4 text-small font-strong">
            <Change bp={240} />
            <Change bp={-130} />
          </span>
        </div>
      </div>
    </Section>
  );
}
