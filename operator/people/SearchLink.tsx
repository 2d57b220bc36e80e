import { FormattedMessage } from "react-intl";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";

/** Back to the search. */
export function SearchLink() {
  return (
    <Link to="/operator/people" className={buttonClass({ variant: "outline", size: "small" })}>
      <FormattedMessage id="people.another" />
    </Link>
  );
}
