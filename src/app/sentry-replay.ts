import { replayIntegration } from '@sentry/react'

/** Session replay with all text and inputs masked. A separate chunk: it is the largest part of the tracker. */
export function createReplayIntegration() {
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
      // `content` is masked because the server writes data such as the demo accounts into meta elements.
      'content',
    ],
    blockAllMedia: true,
    // We cannot scrub compressed recordings, and Trusted Types forbid the compression worker.
    useCompression: false,
  })
}
