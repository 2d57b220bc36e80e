import { type ReactNode, useCallback } from "react";
import { type PrimitiveType, useIntl } from "react-intl";

/** The arguments and tags of a message. */
type Values = Record<string, PrimitiveType | ReactNode | ((parts: ReactNode[]) => ReactNode)>;

/**
 * The message `id` in the language on screen: a string, or React nodes if one of its values is a
 * node.
 */
export interface Translate {
  (id: string, values?: Record<string, PrimitiveType | ((parts: string[]) => string)>): string;
  (id: string, values: Values): ReactNode;
}

/**
 * `const t = useText()`. Keys are written out in the sources, so that tests can find missing ones.
 */
export function useText(): Translate {
  const { formatMessage } = useIntl();
  return useCallback(
    (id: string, values?: Record<string, PrimitiveType>) => formatMessage({ id }, values),
    [formatMessage],
  ) as Translate;
}

/**
 * For values that only a newer server may know: the message `id`, or `other` if the catalogue has
 * none.
 */
export function useTextOr(): (id: string, other: string) => string {
  const { messages } = useIntl();
  const t = useText();
  return (id, other) => (Object.hasOwn(messages, id) ? t(id) : other);
}
