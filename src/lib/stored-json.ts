import { readStoredText, writeStoredText } from './web-storage.ts'

/** Reads a value from the storage of this device; undefined if there is none, or if it is invalid or blocked. */
export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStoredText('localStorage', key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value on this device; undefined deletes it. Without storage it lasts as long as the page. */
export function writeStoredJson(key: string, value: unknown): void {
  writeStoredText('localStorage', key, value === undefined ? undefined : JSON.stringify(value))
}
