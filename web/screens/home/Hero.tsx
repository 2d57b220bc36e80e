import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link } from "#ui/router.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const Facts = lazyComponent(
  () => import("#web/screens/home/Facts.tsx"),
  ["visitor"],
  <div className="min-h-57" />,
);

/** A visitor's first view: what this is for, two ways in, and what this world shows now. */
export function Hero() {
  const t = useText();
  const { signIn } = useSession();
  return (
    <>
      <h2 className="text-title font-strong tracking-tight text-balance">
        {t("home.invite.title")}
      </h2>
      <p className="mt-1 mb-4 text-small text-ink-soft">{t("home.invite.text")}</p>
      <div className="flex flex-col gap-2">
        <Button block onClick={signIn}>
          {t("home.invite.action")}
        </Button>
        <Link to="/business" className={buttonClass({ variant: "outline", block: true })}>
          {t("home.invite.look")}
        </Link>
      </div>
      <Facts />
    </>
  );
}
