import { replayIntegration } from '@sentry/react'

/** Replay of a session with every text and input masked; the heaviest part of the tracker, so a file of its own. */
export function replay() {
  return replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    // Texts too: labels name what was searched for, and what people wrote.
    maskAttributes: [
      'title',
      'placeholder',
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'alt',
      'label',
      'value',
      // What the server writes into the page: the sample's accounts.
      'content',
    ],
    blockAllMedia: true,
    // Compressed recordings could not be scrubbed, and their worker, made from text, is what Trusted Types forbid.
    useCompression: false,
  })
}
