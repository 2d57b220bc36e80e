import { IconAlertTriangle, IconInfoCircle, IconX } from "@tabler/icons-react";
import type { Notice } from "#api/publishing.ts";
import type { Locale } from "#core/locales.ts";
import { localeNames, localeTags } from "#i18n/locales.ts";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import { IconButton } from "#ui/IconButton.tsx";

export interface NoticeProps {
  notice: Notice;
  /** The reader's language. */
  language: Locale;
}

/** A notice of type bar, as shown above the tabs; also used in the console's preview. */
export function NoticeBar({
  notice,
  language,
  onDismiss,
}: NoticeProps & { onDismiss: () => void }) {
  const t = useText();
  const important = notice.severity === "important";
  const Icon = important ? IconAlertTriangle : IconInfoCircle;
  return (
    <output
      className={cx(
        "mx-auto flex max-w-120 items-start gap-3 rounded-dock border pl-3.5",
        important ? "border-warning bg-warning-wash text-warning" : "border-line-strong bg-leaf",
      )}
    >
      <Icon size={20} className="mt-3 shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 py-2.5 text-small break-words">
        {notice.title ? <strong className="block font-strong">{notice.title}</strong> : null}
        <span lang={localeTags[notice.language]}>{notice.text}</span>
        <OtherLanguage notice={notice} language={language} />
      </span>
      <IconButton label={t("notices.dismiss")} onClick={onDismiss}>
        <IconX size={18} aria-hidden="true" />
      </IconButton>
    </output>
  );
}

/** The text of a notice of type dialog, below its title. */
export function NoticeWords({ notice, language }: NoticeProps) {
  return (
    <>
      <p lang={localeTags[notice.language]} className="break-words">
        {notice.text}
      </p>
      <OtherLanguage notice={notice} language={language} />
    </>
  );
}

function OtherLanguage({ notice, language }: NoticeProps) {
  const t = useText();
  if (notice.language === language) return null;
  return (
    <span className="mt-1 block text-caption opacity-90">
      {t("notices.otherLanguage", {
        wanted: localeNames[language],
        shown: localeNames[notice.language],
      })}
    </span>
  );
}
