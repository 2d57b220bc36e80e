import { useOperator } from "#operator/app/useOperator.ts";
import { TextInput, type TextInputProps } from "#ui/form/TextInput.tsx";

/**
 * A passphrase, hidden unless `shown`. Pasting and password managers are welcome; the hidden name
 * tells them which account it belongs to.
 */
export function PassphraseInput({ isShown, ...rest }: TextInputProps & { isShown?: boolean }) {
  const name = useOperator()?.name ?? "";
  return (
    <>
      <input
        type="text"
        autoComplete="username"
        value={name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
      />
      <TextInput
        {...rest}
        type={isShown ? "text" : "password"}
        autoCapitalize="off"
        spellCheck={false}
      />
    </>
  );
}
