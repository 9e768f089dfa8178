/** Rejects malformed ids before a query. e-GP's ids have 11 digits; ids of other sources may have letters and hyphens. */
export const isPlausibleProjectId = (text: string): boolean => /^[\w-]{1,40}$/.test(text)
