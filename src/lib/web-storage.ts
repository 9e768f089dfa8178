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
    // The value lasts as long as the page.
  }
}
