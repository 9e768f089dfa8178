type StorageArea = 'localStorage' | 'sessionStorage'

/** Returns the stored text; null if there is none or storage is blocked. */
export function readStoredText(area: StorageArea, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

/** Stores the text, or removes it if undefined. Does nothing if storage is blocked or full. */
export function writeStoredText(area: StorageArea, key: string, text: string | undefined): void {
  try {
    if (text === undefined) window[area].removeItem(key)
    else window[area].setItem(key, text)
  } catch {
    // Blocked and full storage throws.
  }
}

/** Creates a stored text that lasts as long as the page if storage is blocked; null if there is none. */
export function createStoredText(area: StorageArea, key: string) {
  let inMemory: string | null = null
  return {
    read(): string | null {
      try {
        return window[area].getItem(key)
      } catch {
        return inMemory
      }
    },
    write(text: string | null): void {
      inMemory = text
      writeStoredText(area, key, text ?? undefined)
    },
  }
}

/** Reads a value from localStorage; undefined if there is none, or if it is invalid or blocked. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStoredText('localStorage', key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Writes a value to localStorage; undefined removes it. Does nothing if storage is blocked or full. */
export function writeStoredJson(key: string, value: unknown): void {
  writeStoredText('localStorage', key, value === undefined ? undefined : JSON.stringify(value))
}
