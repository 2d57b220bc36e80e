import { useIntl } from "react-intl";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";

export default function WalletInfoPage() {
  const { formatMessage } = useIntl();
  return (
    <Page title={formatMessage({ id: "later.not_yet" })} back="/home">
      <Empty drawing={<EmptyDockDrawing />} title={formatMessage({ id: "later.not_yet" })} />
    </Page>
  );
}
