/** Where the server writes the accounts of the sample into the page, while the sample is in. */
export const SAMPLE_LOGIN = 'meta[name="sample-login"]'

export const offersSample = () => document.querySelector(SAMPLE_LOGIN) !== null
