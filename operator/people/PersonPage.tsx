import { findPerson } from "#api/routes/operator/people.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMay } from "#operator/app/useOperator.ts";
import { Standing } from "#operator/people/PersonStatus.tsx";
import { ByCode } from "#operator/people/Search.tsx";
import { SearchLink } from "#operator/people/SearchLink.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { patchAnswer, useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

/** An account by its id. Looking it up is recorded, so it is asked once, and not again by itself. */
export function PersonPage({ userId }: { userId: string }) {
  const t = useText();
  const sentence = useSentence();
  const mayView = useMay("people.view");
  const asked = { user_id: userId };
  const { data, error, refetch, isFetching } = useCall(findPerson, asked, {
    staleMs: Number.POSITIVE_INFINITY,
  });
  return (
    <ConsolePage title={t("person.person")} lead={t("person.person.lead")} actions={<SearchLink />}>
      {error && !data ? (
        <div className="p-4">
          {error.error === "people.unknown" ? (
            <ErrorNote>{sentence(error)}</ErrorNote>
          ) : (
            <ErrorNote onRetry={() => void refetch()} busy={isFetching}>
              {sentence(error)}
            </ErrorNote>
          )}
        </div>
      ) : null}
      {data ? (
        <div className="grid grid-cols-1 gap-x-8 wide:grid-cols-2">
          <div className="min-w-0">
            <Standing
              person={data}
              onChanged={(person) => patchAnswer(findPerson, asked, () => person)}
            />
          </div>
          {mayView ? (
            <div className="min-w-0">
              <Section title={t("person.byCode")} note={t("person.byCode.note")} kind="plain">
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
