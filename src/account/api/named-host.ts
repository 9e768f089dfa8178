/** Whether passkeys can work at this address: each belongs to a name, and an address of numbers has none. Of no page (scripts/first-paint.ts) it is not known: yes. */
export const isNamedHost = (): boolean => typeof location === 'undefined' || !/^[\d.]+$|^\[/.test(location.hostname)
