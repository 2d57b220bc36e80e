import { useSearchParams } from "#ui/router.tsx";

/**
 * A choice of a screen, such as its tab, in the address under `name`: "back", a reload and a link
 * return to it. `first` is chosen where the address says nothing, or something unknown.
 */
export function useChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  first: Value,
): [Value, (next: Value) => void] {
  const [query, setQuery] = useSearchParams();
  const choice = values.find((value) => value === query.get(name)) ?? first;
  const choose = (next: Value) =>
    setQuery(
      (before) => {
        if (next === first) before.delete(name);
        else before.set(name, next);
        return before;
      },
      { replace: true },
    );
  return [choice, choose];
}
