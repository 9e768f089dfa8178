/** True if the host has a domain name. Passkeys are bound to one, so they do not work at an IP address. */
export const isServedFromDomainName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname)
