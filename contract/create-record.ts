/** Returns an object with a value per name. Unlike `Object.fromEntries`, preserves the names in its type. */
export const createRecord = <Name extends string, Value>(
  names: readonly Name[],
  createValue: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, createValue(name)])) as Record<Name, Value>
