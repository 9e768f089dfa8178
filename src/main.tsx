import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import './styles.css'

const MAX_FRAME_WAIT_MS = 300
/**
 * Maximum wait for the first project names, counted from the first frame. It delays little, because the first render
 * waits for the same response anyway.
 */
const MAX_NAMES_WAIT_MS = 600

declare global {
  interface Window {
    /** Resolves when `public/theme.js` has put the first project names into the report's placeholder. */
    earlyNames?: Promise<unknown> | undefined
  }
}

recoverFromMissingChunks()
/**
 * Loads the app after the server-rendered placeholder is on the screen, on phones with the first project names in it.
 * Evaluating the code first would delay both by 40 ms on a desktop and half a second on a phone. Background pages draw
 * no frames, so they do not wait. No top-level await, because the other chunks import this one and would wait for it in
 * turn.
 */
async function startAfterFirstPaint(): Promise<void> {
  if (document.visibilityState !== 'hidden') {
    await nextFrame()
    if (window.earlyNames && matchMedia('(width < 48rem)').matches)
      await Promise.race([window.earlyNames.then(nextFrame), delay(MAX_NAMES_WAIT_MS)])
  }
  await import('./app/start.tsx')
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function nextFrame(): Promise<unknown> {
  return Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    delay(MAX_FRAME_WAIT_MS),
  ])
}

void startAfterFirstPaint()
