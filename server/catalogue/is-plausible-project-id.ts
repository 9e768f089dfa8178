/**
 * Rejects malformed ids before a query. Wider than e-GP's 11 digits, because tests and other sources may use other ids.
 */
export const isPlausibleProjectId = (text: string): boolean => /^[\w-]{1,40}$/.test(text)
