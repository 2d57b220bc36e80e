import { type NewsBody, textMax } from "#core/publishing/bodies.ts";
import { localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { TextField } from "#operator/publishing/forms/fields.tsx";
import { type FormProps, useProblemMessage } from "#operator/publishing/forms/formProps.ts";
import { Languages } from "#operator/publishing/forms/Languages.tsx";

/** A post: title, summary and Markdown in each language. */
export function NewsForm({ body, onChange, problems, language, onLanguage }: FormProps<NewsBody>) {
  const t = useText();
  const problemMessage = useProblemMessage(problems);
  const field = (name: string) => t(`publishing.field.${name}`);
  return (
    <Languages
      languages={body.languages}
      onChange={(languages) => onChange({ ...body, languages })}
      language={language}
      onLanguage={onLanguage}
      emptyText={{ title: "", summary: "", body: "" }}
      problems={problems}
    >
      {(text, change) => (
        <>
          <TextField
            label={field("title")}
            value={text.title}
            onChange={(title) => change({ ...text, title })}
            max={textMax.newsTitle}
            lang={localeTags[language]}
            error={problemMessage(`languages.${language}.title`)}
          />
          <TextField
            label={field("summary")}
            value={text.summary}
            onChange={(summary) => change({ ...text, summary })}
            max={textMax.newsSummary}
            rows={3}
            lang={localeTags[language]}
            error={problemMessage(`languages.${language}.summary`)}
          />
          <TextField
            label={field("body")}
            value={text.body}
            onChange={(next) => change({ ...text, body: next })}
            max={textMax.newsBody}
            rows={16}
            isMonospace
            hint={t("publishing.markdown")}
            lang={localeTags[language]}
            error={problemMessage(`languages.${language}.body`)}
          />
        </>
      )}
    </Languages>
  );
}
