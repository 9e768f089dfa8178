/** Whether passkeys can work at this address: each belongs to a name, and an address of numbers has none. */
export const isNamedHost = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname)
