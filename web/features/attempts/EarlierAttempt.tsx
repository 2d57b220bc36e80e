import { getAttempts } from "#api/routes/attempts.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

/** Links to the history before this attempt; renders nothing in the first attempt. */
export default function EarlierAttempt() {
  const t = useText();
  const { data } = useApiQuery(getAttempts, { page: 1, page_size: 2 });
  const previousAttempt = data?.items.find(({ current }) => !current);
  if (!previousAttempt) return null;
  return (
    <Row
      label={t("attempts.earlier", { number: previousAttempt.number })}
      to={`/wallet-record?attempt_id=${previousAttempt.attempt_id}`}
    />
  );
}
