import { replayIntegration } from '@sentry/react'

/**
 * Session replay with all texts and inputs masked. In a separate chunk because it is the largest part of the tracker.
 */
export function replay() {
  return replayIntegration({
    maskAllText: true,
    maskAllInputs: true,
    // Attributes are masked too: labels contain search words and user text.
    maskAttributes: [
      'title',
      'placeholder',
      'aria-label',
      'aria-description',
      'aria-valuetext',
      'alt',
      'label',
      'value',
      // Meta elements that the server writes, such as the demo accounts.
      'content',
    ],
    blockAllMedia: true,
    // Compressed recordings could not be scrubbed, and their worker is created from text, which Trusted Types forbid.
    useCompression: false,
  })
}
