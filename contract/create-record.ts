/** Returns an object with the value of each name, typed by the names; `Object.fromEntries` would forget them. */
export const createRecord = <Name extends string, Value>(
  names: readonly Name[],
  createValue: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, createValue(name)])) as Record<Name, Value>
