import { replayIntegration } from '@sentry/react'
import { scrubDeep } from '#src/lib/scrub.ts'

/** Replay of a session with every text and input masked; the heaviest part of the tracker, so a file of its own. */
export function replay() {
  return replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    blockAllMedia: true,
    // Compression runs in a worker made from text, which the page's Trusted Types forbid.
    useCompression: false,
    beforeAddRecordingEvent: (event) => scrubDeep(event),
  })
}
