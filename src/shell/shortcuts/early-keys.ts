/** `palette`: the palette shortcut and the text typed after it. `single`: single-key shortcuts of a screen. */
type Kind = 'palette' | 'single'

/** A buffered key press; `atMs` counts from page load. */
type EarlyKey = { readonly atMs: number } & Readonly<
  Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
>

declare global {
  interface Window {
    /**
     * Keys that `public/theme.js` has buffered since first paint, and the path at that time. A kind is undefined once
     * its listener is attached.
     */
    earlyKeys?: ({ readonly path: string } & { [kind in Kind]?: readonly EarlyKey[] | undefined }) | undefined
  }
}

const MAX_KEY_AGE_MS = 15_000

/**
 * Replays, on the currently focused element, keys pressed before the caller's code had loaded. Call after attaching the
 * listener.
 */
export function replayEarlyKeys(kind: Kind): void {
  const buffer = window.earlyKeys
  const keys = buffer?.[kind]
  if (!buffer || !keys) return
  buffer[kind] = undefined
  if (buffer.path !== window.location.pathname) return
  const oldestAtMs = performance.now() - MAX_KEY_AGE_MS
  for (const { atMs, ...key } of keys) {
    if (atMs < oldestAtMs) continue
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))
  }
}
