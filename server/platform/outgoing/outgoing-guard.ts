import { lookup as askResolver } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** A rule forbids the request; nothing was sent. The message names the rule for the person who configured the URL. */
export class OutgoingRequestForbiddenError extends Error {
  override readonly name = 'OutgoingRequestForbiddenError'
}
export class OutgoingRequestTimeoutError extends Error {
  override readonly name = 'OutgoingRequestTimeoutError'
}

/**
 * Non-public networks: this machine, private networks, cloud metadata, and router-only ranges (IANA special-purpose
 * registries).
 */
const INTERNAL = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Addresses of carrier-grade NAT, which include the metadata endpoint of one cloud.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local addresses, which include the metadata endpoint of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Internal endpoint of Azure, although it is within public address space.
  ['168.63.129.16', 32],
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv4')
// IANA special-purpose ranges in global unicast: 2001::/23 has Teredo and ORCHID, 2002::/16 (6to4) embeds IPv4.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv6')

/**
 * All IPv6 global unicast addresses allocated today. Anything outside is local, multicast, or embeds an IPv4 address
 * for a translator (`::ffff:`, `::ffff:0:`, `64:ff9b::`). Unlike a blocklist, an allowlist also covers the next such
 * prefix.
 */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const within = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** True for an address outside the public internet, and for text that is not an IP address. */
export const isInternalAddress = (address: string): boolean =>
  isIP(address) === 0 || within(INTERNAL, address) || (isIP(address) === 6 && !within(GLOBAL, address))
const isLoopback = (address: string): boolean => within(LOOPBACK, address)

const getUrlHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

export function isLocalHost(address: URL): boolean {
  const host = getUrlHost(address)
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
}

export type HostResolver = (
  hostname: string,
  options: { readonly all: true; readonly family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void

/**
 * Resolves names only to public addresses (`reach: 'internet'`), or only to this machine. The connection uses the
 * address resolved here, once, so DNS rebinding has no effect. If a name has several addresses, one forbidden address
 * forbids the name.
 */
export function createGuardedLookup(
  reach: 'internet' | 'loopback' = 'internet',
  resolve: HostResolver = askResolver as HostResolver,
): LookupFunction {
  const isForbidden = reach === 'internet' ? isInternalAddress : (address: string) => !isLoopback(address)
  return (hostname, options, callback) => {
    resolve(hostname, { family: options.family, all: true }, (error, addresses) => {
      const resolved = addresses ?? []
      const forbidden = resolved.find(({ address }) => isForbidden(address))
      if (error || resolved.length === 0) callback(error ?? new Error('no address'), '', 4)
      else if (forbidden)
        callback(new OutgoingRequestForbiddenError(`${hostname} เป็นที่อยู่ภายในเครือข่าย (${forbidden.address})`), '', 4)
      else if (options.all) callback(null, resolved)
      else callback(null, resolved[0]!.address, resolved[0]!.family)
    })
  }
}

/**
 * Throws `OutgoingRequestForbiddenError` for a URL that is unencrypted, contains credentials, or has an internal IP address as
 * host. Host names are checked when they are resolved.
 */
export function assertPublicUrl(address: URL): void {
  if (address.protocol !== 'https:')
    throw new OutgoingRequestForbiddenError(`${address.protocol}// ไม่เข้ารหัส ใช้ได้เฉพาะ https://`)
  if (address.username !== '' || address.password !== '') throw new OutgoingRequestForbiddenError('ที่อยู่มีชื่อผู้ใช้หรือรหัสผ่าน')
  const host = getUrlHost(address)
  if (isIP(host) !== 0 && isInternalAddress(host)) throw new OutgoingRequestForbiddenError(`${host} เป็นที่อยู่ภายในเครือข่าย`)
}
