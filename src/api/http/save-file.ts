/** Browsers read the file after the click has returned, and some save nothing when the address is revoked before. */
const REVOKE_AFTER_MS = 60_000

/** Gives a file that is in memory to the browser, which saves it under this name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
