/** Selector of the meta element in which the server lists the demo accounts while demo data is loaded. */
export const DEMO_LOGIN_SELECTOR = 'meta[name="sample-login"]'

export const hasDemoLogin = () => document.querySelector(DEMO_LOGIN_SELECTOR) !== null
