/** `palette`: the key that opens it and what is typed behind it. `single`: the keys of a screen. */
type Kind = 'palette' | 'single'

/** `atMs`: ms of the page's life. */
type EarlyKey = { readonly atMs: number } & Readonly<
  Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
>

declare global {
  interface Window {
    /** Keys that `public/theme.js` has kept since the first paint, and the path of their screen. A kind that somebody listens to is undefined. */
    earlyKeys?: ({ readonly path: string } & { [kind in Kind]?: readonly EarlyKey[] | undefined }) | undefined
  }
}

/** Nobody waits longer for what a key does, in ms. */
const FORGOTTEN_AFTER_MS = 15_000

/** Presses anew, where the focus is now, what was pressed before the caller's code was there to listen. To be called once it listens. */
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
