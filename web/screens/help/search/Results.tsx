import { useEffect, useMemo } from "react";
import { useText } from "#i18n/useText.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Row } from "#ui/Row.tsx";
import { listHelpEntries } from "./entries.ts";
import { extractExcerpt, findEntries } from "./match.ts";

interface ResultsProps {
  text: string;
  /** Called with the number of results; the parent announces it. */
  onCount: (count: number) => void;
}

/** The search results; the search box moves focus here on arrow down. */
export default function Results({ text, onCount }: ResultsProps) {
  const t = useText();
  const entries = useMemo(() => listHelpEntries(t), [t]);
  const matches = findEntries(entries, text);
  useEffect(() => onCount(matches.length), [onCount, matches.length]);
  return (
    <>
      {matches.length === 0 ? (
        <Empty drawing={<EmptyDockDrawing />} title={t("help.search.none", { query: text.trim() })}>
          {t("help.search.none.text")}
        </Empty>
      ) : (
        <div className="hairlines border-y border-line">
          {matches.map((entry) => (
            <Row
              key={entry.to}
              to={entry.to}
              label={entry.title}
              hint={
                <>
                  <span className="font-strong">{t(`help.kind.${entry.kind}`)}</span>
                  {" · "}
                  {extractExcerpt(entry.text, text)}
                </>
              }
            />
          ))}
        </div>
      )}
    </>
  );
}
