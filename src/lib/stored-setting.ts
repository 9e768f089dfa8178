import { createExternalStore } from './store.ts'
import { readStoredText, writeStoredText } from './web-storage.ts'

type StoredSetting<Value> = { get(): Value; set(next: Value): void; useValue(): Value }

/** Creates a setting of this device with the first of its values as default. */
export function createStoredSetting<const Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): StoredSetting<Value> {
  const [initial] = values
  const store = createExternalStore(values.find((value) => value === readStoredText('localStorage', key)) ?? initial)
  return {
    get: store.get,
    set(next) {
      writeStoredText('localStorage', key, next === initial ? undefined : next)
      store.set(next)
    },
    useValue: store.useValue,
  }
}
