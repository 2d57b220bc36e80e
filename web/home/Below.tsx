import { Counted } from "#web/home/Counted.tsx";

/** What stands below the fold of a phone: what this instance counted of itself. */
export default function Below() {
  return <Counted />;
}
