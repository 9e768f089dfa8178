import { readPageMetadata } from './page-metadata.ts'

/** Returns the operator's contact URL (`https:`, `mailto:` or `tel:`), which the server may write into the page. */
export const getOperatorContactUrl = () => readPageMetadata('contact-url') || undefined
