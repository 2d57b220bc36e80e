import { findPerson } from "#api/routes/operator/people.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMayChange } from "#operator/app/useOperator.ts";
import { PersonStatus } from "#operator/people/PersonStatus.tsx";
import { ByCode } from "#operator/people/Search.tsx";
import { SearchLink } from "#operator/people/SearchLink.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { updateCached, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * An account by its id. Each lookup is recorded, so it is fetched once and never refetched
 * automatically.
 */
export function PersonPage({ userId }: { userId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const mayView = useMayChange("people.view");
  const input = { user_id: userId };
  const { data, error, refetch, isFetching } = useApiQuery(findPerson, input, {
    staleMs: Number.POSITIVE_INFINITY,
  });
  return (
    <ConsolePage title={t("people.person")} lead={t("people.person.lead")} actions={<SearchLink />}>
      {error && !data ? (
        <div className="p-4">
          {error.error === "people.unknown" ? (
            <ErrorNote>{errorMessage(error)}</ErrorNote>
          ) : (
            <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
              {errorMessage(error)}
            </ErrorNote>
          )}
        </div>
      ) : null}
      {data ? (
        <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
          <div className="min-w-0">
            <PersonStatus
              person={data}
              onChanged={(person) => updateCached(findPerson, input, () => person)}
            />
          </div>
          {mayView ? (
            <div className="min-w-0">
              <Section title={t("people.byCode")} note={t("people.byCode.note")} kind="plain">
                <ByCode />
              </Section>
            </div>
          ) : null}
        </div>
      ) : error ? null : (
        <SkeletonRows />
      )}
    </ConsolePage>
  );
}
