/**
 * Returns the operator's contact URL (`https:`, `mailto:` or `tel:`), which the server writes into the page; undefined
 * if none.
 */
export const getOperatorContactUrl = () =>
  document.querySelector<HTMLMetaElement>('meta[name="contact-url"]')?.content || undefined
