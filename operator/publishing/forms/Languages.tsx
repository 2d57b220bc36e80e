import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { useIntl } from "react-intl";
import {
  type ByLanguage,
  chooseText,
  type PostLanguage,
  postLanguages,
} from "#core/publishing/bodies.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import type { PublishingProblems } from "#operator/publishing/usePreview.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";

export interface LanguagesProps<Text> {
  languages: ByLanguage<Text>;
  onChange: (languages: ByLanguage<Text>) => void;
  /** The language being edited. */
  language: PostLanguage;
  onLanguage: (language: PostLanguage) => void;
  emptyText: Text;
  problems: PublishingProblems;
  /** Renders the inputs of one language. `change` replaces its text. */
  children: (text: Text, change: (text: Text) => void) => ReactNode;
}

/** A text in up to eight languages, one at a time, with what readers of the missing ones see. */
export function Languages<Text>(props: LanguagesProps<Text>) {
  const { languages, onChange, language, onLanguage, emptyText, problems, children } = props;
  const t = useText();
  // Removed languages, so that adding one again restores its text.
  const leftOut = useRef<ByLanguage<Text>>({});
  const text = languages[language];
  const missingLanguages = postLanguages.filter(
    (postLanguage) => languages[postLanguage] === undefined,
  );
  const write = (next: Text) => onChange({ ...languages, [language]: next });
  const leave = () => {
    const { [language]: removedText, ...rest } = languages;
    leftOut.current = { ...leftOut.current, [language]: removedText };
    onChange(rest as ByLanguage<Text>);
  };
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex min-w-0 flex-wrap gap-x-2 gap-y-1">
        <legend className="pb-1 text-small font-strong">{t("publishing.languages")}</legend>
        {postLanguages.map((postLanguage) => {
          const hasProblem = problems.some(({ at }) => at.startsWith(`languages.${postLanguage}.`));
          return (
            <Chip
              key={postLanguage}
              selected={postLanguage === language}
              onClick={() => onLanguage(postLanguage)}
            >
              <span lang={localeTags[postLanguage]}>{localeNames[postLanguage]}</span>
              {languages[postLanguage] === undefined ? (
                <Mark word="publishing.language.missing" />
              ) : null}
              {hasProblem ? <Mark word="publishing.language.wrong" isWarning /> : null}
            </Chip>
          );
        })}
      </fieldset>
      <MissingNote languages={languages} missingLanguages={missingLanguages} />
      {text === undefined ? (
        <div className="flex flex-col items-start gap-2 rounded-dock border border-line p-4">
          <p className="text-small text-ink-soft">
            {t("publishing.language.none", { language: localeNames[language] })}
          </p>
          <Button
            variant="outline"
            size="small"
            icon={<IconPlus size={18} aria-hidden="true" />}
            onClick={() => write(leftOut.current[language] ?? emptyText)}
          >
            {t("publishing.language.add", { language: localeNames[language] })}
          </Button>
        </div>
      ) : (
        <>
          {children(text, write)}
          <div>
            <Button
              variant="quiet"
              size="small"
              icon={<IconTrash size={18} aria-hidden="true" />}
              onClick={leave}
            >
              {t("publishing.language.remove", { language: localeNames[language] })}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function Mark({ word, isWarning = false }: { word: string; isWarning?: boolean }) {
  const t = useText();
  return (
    <>
      <span
        aria-hidden="true"
        className={isWarning ? "ml-1.5 text-flare" : "ml-1.5 text-ink-faint"}
      >
        {isWarning ? "!" : "–"}
      </span>
      <span className="sr-only"> {t(word)}</span>
    </>
  );
}

/** Which languages are missing, and which one their readers see instead. */
function MissingNote({
  languages,
  missingLanguages,
}: {
  languages: ByLanguage<unknown>;
  missingLanguages: readonly PostLanguage[];
}) {
  const { formatList } = useIntl();
  const t = useText();
  const shownLanguage = missingLanguages[0] && chooseText(languages, missingLanguages[0])?.language;
  if (!shownLanguage) return null;
  return (
    <p className="text-small text-ink-soft">
      {t("publishing.languages.missing", {
        languages: formatList(missingLanguages.map((item) => localeNames[item])),
        shown: localeNames[shownLanguage],
      })}
    </p>
  );
}
