/** `palette`: the palette shortcut and text typed after it. `single`: shortcuts of a screen. */
type Kind = 'palette' | 'single'

/** `atMs` is relative to page load, ms. */
type EarlyKey = { readonly atMs: number } & Readonly<
  Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
>

declare global {
  interface Window {
    /**
     * Keys buffered by `public/theme.js` since first paint, and the path at that time. A kind is undefined once its
     * listener is attached.
     */
    earlyKeys?: ({ readonly path: string } & { [kind in Kind]?: readonly EarlyKey[] | undefined }) | undefined
  }
}

/** Older buffered keys are dropped, ms. */
const FORGOTTEN_AFTER_MS = 15_000

/**
 * Replays keys pressed before the caller's code had loaded, on the currently focused element. Call after attaching the
 * listener.
 */
export function pressEarlyKeys(kind: Kind): void {
  const early = window.earlyKeys
  const kept = early?.[kind]
  if (!early || !kept) return
  early[kind] = undefined
  if (early.path !== window.location.pathname) return
  const since = performance.now() - FORGOTTEN_AFTER_MS
  for (const { atMs, ...key } of kept) {
    if (atMs < since) continue
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))
  }
}
