/** Browsers read the file after the click returns, and some save nothing if the URL is revoked earlier. */
const REVOKE_AFTER_MS = 60_000

export function saveBlobAsFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
