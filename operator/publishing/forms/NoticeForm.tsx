import {
  type NoticeBody,
  noticeSeverities,
  noticeTypes,
  textMax,
} from "#core/publishing/bodies.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { TextField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { Languages } from "#operator/publishing/forms/Languages.tsx";
import { TimeField, ZoneNote } from "#operator/publishing/forms/TimeField.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";

/** A notice: a bar or a dialog, from when until when, in each language. */
export function NoticeForm(props: FormProps<NoticeBody>) {
  const { body, onChange, problems, language, onLanguage } = props;
  const t = useText();
  const problemMessage = useProblemMessage(problems);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <p className="text-small font-strong">{t("publishing.field.type")}</p>
        <Segmented
          label={t("publishing.field.type")}
          value={body.type}
          onChange={(type) => onChange({ ...body, type })}
          options={noticeTypes.map((type) => ({
            value: type,
            label: t(`publishing.type.${type}`),
          }))}
        />
        <p className="text-caption text-ink-faint">{t(`publishing.type.about.${body.type}`)}</p>
      </div>
      <div className="flex flex-col gap-1.5">
        <p className="text-small font-strong">{t("publishing.field.severity")}</p>
        <Segmented
          label={t("publishing.field.severity")}
          value={body.severity}
          onChange={(severity) => onChange({ ...body, severity })}
          options={noticeSeverities.map((severity) => ({
            value: severity,
            label: t(`publishing.severity.${severity}`),
          }))}
        />
      </div>
      <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
        <TimeField
          label={t("publishing.field.from_ms")}
          value={body.from_ms}
          onChange={(from) => onChange({ ...body, from_ms: from })}
          hint={t("publishing.from.hint")}
          error={problemMessage("from_ms")}
        />
        <TimeField
          label={t("publishing.field.until_ms")}
          value={body.until_ms}
          onChange={(until) => onChange({ ...body, until_ms: until })}
          hint={t("publishing.until.hint")}
          error={problemMessage("until_ms")}
        />
      </div>
      <ZoneNote />
      <Languages
        languages={body.languages}
        onChange={(languages) => onChange({ ...body, languages })}
        language={language}
        onLanguage={onLanguage}
        emptyText={{ title: "", text: "" }}
        problems={problems}
      >
        {(words, change) => (
          <>
            {body.type === "dialog" || words.title !== "" ? (
              <TextField
                label={t("publishing.field.title")}
                value={words.title}
                onChange={(title) => change({ ...words, title })}
                max={textMax.noticeTitle}
                hint={body.type === "bar" ? t("publishing.bar.title") : undefined}
                lang={localeTags[language]}
                error={problemMessage(`languages.${language}.title`)}
              />
            ) : null}
            <TextField
              label={t("publishing.field.text")}
              value={words.text}
              onChange={(next) => change({ ...words, text: next })}
              max={textMax.noticeText}
              rows={4}
              lang={localeTags[language]}
              error={problemMessage(`languages.${language}.text`)}
            />
          </>
        )}
      </Languages>
    </div>
  );
}
