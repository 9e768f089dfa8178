/**
 * Whether passkeys can work at this host: they are bound to a domain name, which an IP address lacks. Returns true
 * without a page (scripts/first-paint.ts).
 */
export const isNamedHost = (): boolean => typeof location === 'undefined' || !/^[\d.]+$|^\[/.test(location.hostname)
