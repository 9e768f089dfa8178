import { readPageMetadata } from './page-metadata.ts'

/**
 * Returns the operator's contact URL (`https:`, `mailto:` or `tel:`), which the server writes into the page; undefined
 * if none.
 */
export const getOperatorContactUrl = () => readPageMetadata('contact-url') || undefined
