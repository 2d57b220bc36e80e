import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import { useAccount } from "#web/features/money/useAccount.ts";

/** The total in a display currency other than the one it is counted in. */
export default function DisplayTotalBody() {
  const { view } = useAccount();
  return view ? <DisplayAmount view={view} value={view.result.total} /> : null;
}
