import { useState } from "react";
import { checkAudit } from "#api/routes/operator/audit.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Has the server recompute the whole chain on demand. */
export function Check() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [isRequested, setIsRequested] = useState(false);
  const check = useApiQuery(checkAudit, {}, { enabled: isRequested, staleMs: 0 });
  const { data, error, isFetching, refetch } = check;
  const repeatCheck = () => {
    if (isRequested) void refetch();
    else setIsRequested(true);
  };
  return (
    <Section
      title={t("console.check.title")}
      note={t("console.check.text")}
      action={
        <Button variant="outline" size="small" busy={isFetching} onClick={repeatCheck}>
          {t("console.check.do")}
        </Button>
      }
    >
      {error ? (
        <div className="p-4">
          <ErrorNote>{errorMessage(error)}</ErrorNote>
        </div>
      ) : null}
      {isRequested && !data && !error ? <SkeletonRows count={2} /> : null}
      {data ? (
        <>
          <Row
            label={
              data.broken_at === null
                ? t("console.check.holds", { count: data.acts })
                : t("console.check.broken", { number: data.broken_at })
            }
            {...(data.erased > 0
              ? { hint: t("console.check.erased", { count: data.erased }) }
              : {})}
            value={
              <Badge tone={data.broken_at === null ? "rise" : "fall"}>
                {t(data.broken_at === null ? "console.check.good" : "console.check.bad")}
              </Badge>
            }
          />
          <Row
            label={t("console.check.head")}
            value={<Hash value={data.head} label={t("console.check.head")} />}
          />
        </>
      ) : null}
    </Section>
  );
}
