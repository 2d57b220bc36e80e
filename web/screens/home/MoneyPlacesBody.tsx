import MoneyBar from "#web/features/money/MoneyBar.tsx";
import { useAccount } from "#web/features/money/useAccount.ts";

/** The total as one bar with its parts. */
export default function MoneyPlacesBody() {
  const { view } = useAccount();
  return view ? <MoneyBar view={view} /> : null;
}
