import { BeliefField } from "#web/features/beliefs/BeliefField.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { type ConfirmOrderProps, useOrderConfirmation } from "./useOrderConfirmation.tsx";

/** On a phone: restates what happens to the money and places the order. */
export default function ConfirmOrderSheet(props: ConfirmOrderProps) {
  const { heading, facts, notes, verb, back, place, isBusy, failure, belief } =
    useOrderConfirmation(props);
  return (
    <ConfirmSheet
      title={heading}
      facts={facts}
      notes={notes}
      after={<BeliefField {...belief} />}
      action={{ verb, run: place }}
      back={back}
      busy={isBusy}
      failure={failure}
      onClose={props.onClose}
    />
  );
}
