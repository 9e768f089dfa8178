import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import './styles.css'

/** Longest wait for the first frame, ms: a browser that draws none starts all the same. */
const FRAME_WAIT_MS = 300

recoverFromMissingChunks()
/**
 * The rest starts once the shape that the server wrote into the page is on the screen: evaluating the code first would keep it back by 40 ms on a desk and 200 ms on a phone.
 * A page in the background draws no frames. Nothing is awaited at the top: the rest imports this chunk and would wait for it in turn.
 */
async function startAfterFirstPaint(): Promise<void> {
  if (document.visibilityState !== 'hidden') {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve))
      setTimeout(resolve, FRAME_WAIT_MS)
    })
  }
  await import('./app/start.tsx')
}

void startAfterFirstPaint()
