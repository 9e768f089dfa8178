import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import './styles.css'

/** Longest wait for the first frame, ms: a browser that draws none starts all the same. */
const FRAME_WAIT_MS = 300

recoverFromMissingChunks()
/**
 * The rest starts once the shape that the server wrote into the page is on the screen: evaluating the code first would keep it back by 40 ms on a desk and 200 ms on a phone.
 * A page in the background draws no frames.
 */
function firstPaint(): Promise<unknown> | undefined {
  if (document.visibilityState === 'hidden') return
  const frame = new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  return Promise.race([frame, new Promise((resolve) => setTimeout(resolve, FRAME_WAIT_MS))])
}

await firstPaint()
await import('./app/start.tsx')
