import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Page } from "#ui/Page.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { InboxList } from "./InboxList.tsx";

/** `/inbox`: what happened to the person's money and documents, newest first. */
export default function InboxPage() {
  const t = useText();
  const { status, signIn } = useSession();
  return (
    <Page title={t("inbox.title")} back="/home">
      {status === "signed_in" ? (
        <InboxList />
      ) : status === "signed_out" ? (
        <Empty
          drawing={<EmptyDockDrawing />}
          title={t("inbox.signIn")}
          action={<Button onClick={signIn}>{t("inbox.signInDo")}</Button>}
        />
      ) : null}
    </Page>
  );
}
