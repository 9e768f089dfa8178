import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import './styles.css'

/** Longest wait for a frame, ms: a browser that draws none starts all the same. */
const FRAME_WAIT_MS = 300
/** Longest wait for the first names of the report, ms after the first frame. The first drawing waits for the same answer anyway. */
const NAMES_WAIT_MS = 600

declare global {
  interface Window {
    /** Told when `public/theme.js` has put the first names into the shape of the report. */
    earlyNames?: Promise<unknown> | undefined
  }
}

recoverFromMissingChunks()
/**
 * The rest starts once the shape that the server wrote into the page is on the screen, on a phone with the first names in it: evaluating the code first would
 * keep them back by 40 ms on a desk and half a second on a phone. A page in the background draws no frames. Nothing is awaited at the top: the rest imports
 * this chunk and would wait for it in turn.
 */
async function startAfterFirstPaint(): Promise<void> {
  if (document.visibilityState !== 'hidden') {
    await frame()
    if (window.earlyNames && matchMedia('(width < 48rem)').matches)
      await Promise.race([window.earlyNames.then(frame), after(NAMES_WAIT_MS)])
  }
  await import('./app/start.tsx')
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function frame(): Promise<unknown> {
  return Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    after(FRAME_WAIT_MS),
  ])
}

void startAfterFirstPaint()
