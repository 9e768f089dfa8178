/** Meta element in which the server lists the demo accounts while demo data is loaded. */
export const SAMPLE_LOGIN = 'meta[name="sample-login"]'

export const offersSample = () => document.querySelector(SAMPLE_LOGIN) !== null
