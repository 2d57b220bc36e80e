import { FormattedMessage } from "react-intl";
import { Link } from "react-router";
import { buttonClass } from "#ui/buttonClass.ts";

/** Back to the search. */
export function SearchLink() {
  return (
    <Link to="/operator/people" className={buttonClass({ variant: "outline", size: "small" })}>
      <FormattedMessage id="person.another" />
    </Link>
  );
}
