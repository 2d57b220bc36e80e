import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { MooringDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";

/** Shows `children` when signed in, otherwise an invitation to sign in. */
export function MiningSignedIn({ children }: { children: ReactNode }) {
  const t = useText();
  const { status, signIn } = useSession();
  if (status === "loading") return <SkeletonRows />;
  if (status === "signed_in") return children;
  return (
    <Empty
      drawing={<MooringDrawing />}
      title={t("mining.signIn")}
      action={<Button onClick={signIn}>{t("mining.signInDo")}</Button>}
    />
  );
}
