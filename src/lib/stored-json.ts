/** Reads a value from the storage of this device; undefined if there is none, or if it is invalid or blocked. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value on this device; undefined deletes it. */
export function writeStoredJson(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage is blocked or full, so the value lasts as long as the page.
  }
}
