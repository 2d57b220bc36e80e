import { type LinkBody, textMax } from "#core/publishing/bodies.ts";
import { messengerHosts, payingHosts } from "#core/publishing/links.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { TextField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { Languages } from "#operator/publishing/forms/Languages.tsx";

/** A help or support link: an address, and its title in each language. */
export function LinkForm({ body, onChange, problems, language, onLanguage }: FormProps<LinkBody>) {
  const t = useText();
  const problemMessage = useProblemMessage(problems);
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label={t("publishing.field.url")}
        value={body.url}
        onChange={(url) => onChange({ ...body, url: url.trim() })}
        max={textMax.url}
        type="url"
        hint={t("publishing.url.hint")}
        error={body.url === "" ? undefined : problemMessage("url")}
      />
      <details className="rounded-dock border border-line text-small">
        <summary className="flex min-h-11 items-center px-3.5 font-strong">
          {t("publishing.url.refused")}
        </summary>
        <div className="flex flex-col gap-2 px-3.5 pb-3 text-ink-soft">
          <p>{t("publishing.url.messengers")}</p>
          <p className="break-words">{messengerHosts.join(", ")}</p>
          <p>{t("publishing.url.payments")}</p>
          <p className="break-words">{payingHosts.join(", ")}</p>
        </div>
      </details>
      <Languages
        languages={body.languages}
        onChange={(languages) => onChange({ ...body, languages })}
        language={language}
        onLanguage={onLanguage}
        emptyText={{ title: "" }}
        problems={problems}
      >
        {(words, change) => (
          <TextField
            label={t("publishing.field.title")}
            value={words.title}
            onChange={(title) => change({ title })}
            max={textMax.linkTitle}
            lang={localeTags[language]}
            error={problemMessage(`languages.${language}.title`)}
          />
        )}
      </Languages>
    </div>
  );
}
