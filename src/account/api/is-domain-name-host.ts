/** Whether passkeys can work at this host: they are bound to a domain name, which an IP address lacks. */
export const isServedFromDomainName = (): boolean => !/^[\d.]+$|^\[/.test(location.hostname)
