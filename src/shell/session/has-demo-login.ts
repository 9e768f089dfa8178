/** The server lists the demo accounts in this meta element while demo data is loaded. */
export const DEMO_LOGIN_SELECTOR = 'meta[name="sample-login"]'

export const hasDemoLogin = () => document.querySelector(DEMO_LOGIN_SELECTOR) !== null
