import type { Run } from "#api/hosting/run.ts";
import { useText } from "#i18n/useText.ts";
import { Section } from "#ui/Section.tsx";
import { BookTable } from "../BookTable.tsx";

/** Every book the strategy looks at, side by side; stale ones are marked. */
export function Books({ run }: { run: Run }) {
  const t = useText();
  return (
    <Section title={t("hosting.books.title")} kind="plain">
      <div className="grid grid-cols-2 gap-x-5 gap-y-6 wide:grid-cols-3">
        {run.books.map((book) => (
          <div key={`${book.venue} ${book.symbol}`} className="min-w-0">
            <h3 className="pb-1 text-small">
              <span className="font-strong">{book.venue}</span>{" "}
              <span className="text-ink-faint">{book.symbol}</span>
            </h3>
            {book.fresh ? null : (
              <p className="pb-1 text-caption text-warning">{t("hosting.book.stale")}</p>
            )}
            {book.bids.length + book.asks.length === 0 ? (
              <p className="text-caption text-ink-soft">{t("hosting.book.none")}</p>
            ) : (
              <BookTable book={book} label={`${book.venue} ${book.symbol}`} />
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}
