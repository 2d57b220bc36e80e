import { useIntl } from "react-intl";
import { localeNames } from "#i18n/locales.ts";
import { Change } from "#ui/figures/Change.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { changeSettings, useSettings } from "#web/lib/settings.ts";

/** Language, theme and the colour of a rise: kept in this browser. */
export function Settings() {
  const { formatMessage } = useIntl();
  const { language, theme, habit } = useSettings();
  const text = (id: string) => formatMessage({ id });
  return (
    <Section title={text("ucenter.settings")}>
      <Row to="/language" label={text("app.language.title")} value={localeNames[language]} />
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{text("ucenter.theme")}</p>
        <Segmented
          label={text("ucenter.theme")}
          value={theme}
          onChange={(next) => changeSettings({ theme: next })}
          options={[
            { value: "system", label: text("ucenter.theme.system") },
            { value: "light", label: text("ucenter.theme.light") },
            { value: "dark", label: text("ucenter.theme.dark") },
          ]}
        />
      </div>
      <div className="flex flex-col gap-2 px-4 py-3">
        <p>{text("ucenter.habit")}</p>
        <Segmented
          label={text("ucenter.habit")}
          value={habit}
          onChange={(next) => changeSettings({ habit: next })}
          options={[
            { value: "locale", label: text("ucenter.habit.locale") },
            { value: "green-up", label: text("ucenter.habit.green") },
            { value: "red-up", label: text("ucenter.habit.red") },
          ]}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p className="min-w-0 flex-1 text-small text-ink-faint">{text("ucenter.habit.hint")}</p>
          {/* Drawn by the same token as every result: the choice shows at once. */}
          <span className="flex gap-4 text-small font-strong">
            <Change bp={240} />
            <Change bp={-130} />
          </span>
        </div>
      </div>
    </Section>
  );
}
