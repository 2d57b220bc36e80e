import { IconLockOpen } from "@tabler/icons-react";
import type { OperatorMe } from "#api/operator/session.ts";
import { lower } from "#api/routes/operator/session.ts";
import { useText } from "#i18n/useText.ts";
import { requestElevation } from "#operator/app/elevate.ts";
import { getServerNow, mayElevate, setElevated } from "#operator/app/useOperator.ts";
import { Button } from "#ui/Button.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const end = () => setElevated(null);

/**
 * Time left of the elevation, with a button to end it; otherwise a button to elevate, for operators
 * with permissions that need it.
 */
export function ElevatedBadge({ me }: { me: OperatorMe }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy } = useApiMutation(lower);
  const untilMs = me.raised_until_ms;
  // Without a second factor the banner leads to setting one up.
  if (!me.factors_ready || !mayElevate(me)) return null;
  if (untilMs === null) {
    return (
      <Button variant="outline" size="small" onClick={() => void requestElevation()}>
        {t("console.raise.do")}
      </Button>
    );
  }
  return (
    <span className="flex items-center gap-2 text-small">
      <IconLockOpen size={18} className="shrink-0 text-warning" aria-hidden="true" />
      <span className="text-warning">
        <span className="sr-only">{t("console.raise.on")} </span>
        <Countdown untilMs={untilMs} now={getServerNow} onEnd={end} />
      </span>
      <Button
        variant="quiet"
        size="small"
        busy={isBusy}
        onClick={() => void send({}).then(end, (error: unknown) => toast(errorMessage(error)))}
      >
        {t("console.raise.back")}
      </Button>
    </span>
  );
}
