import { PersonPage } from "#operator/people/PersonPage.tsx";
import { Search } from "#operator/people/Search.tsx";
import { ViewingPage } from "#operator/people/ViewingPage.tsx";
import { useSearchParams } from "#ui/router.tsx";

/**
 * The search; an account by its id (`?user=`); or the pages a person opened with their code
 * (`?viewing=`).
 */
export default function PeoplePage() {
  const [params] = useSearchParams();
  const viewing = params.get("viewing");
  const user = params.get("user");
  if (viewing) return <ViewingPage key={viewing} viewingId={viewing} />;
  if (user) return <PersonPage key={user} userId={user} />;
  return <Search />;
}
