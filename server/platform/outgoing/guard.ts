import { lookup as askResolver } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** A rule of ours forbids the request; nothing was sent. The message says which, in the words of whoever set the address. */
export class OutgoingForbidden extends Error {
  override readonly name = 'OutgoingForbidden'
}
/** Nothing came for so long that nobody waits any more. */
export class OutgoingTimeout extends Error {
  override readonly name = 'OutgoingTimeout'
}

/** Networks that nobody outside lies in: this machine, private networks, the metadata of clouds, and what only routers use (IANA special-purpose registries). */
const INTERNAL = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT, and the metadata of one cloud.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, and the metadata of most clouds.
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
  // Azure's own, which lies among public addresses.
  ['168.63.129.16', 32],
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv4')
// Of the global unicast space, what IANA keeps for special purposes: 2001::/23 holds Teredo and ORCHID, 2002::/16 is 6to4, which wraps an IPv4 address.
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv6')

/**
 * All that is global unicast today. What lies outside is local, multicast, or wraps an IPv4 address for a translator (`::ffff:`, `::ffff:0:`, `64:ff9b::`), so a
 * list of those would miss the next one.
 */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const within = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an IP address lies outside the public internet; false for text that is no address. */
export const isInternal = (address: string): boolean =>
  isIP(address) === 0 || within(INTERNAL, address) || (isIP(address) === 6 && !within(GLOBAL, address))
/** Whether an address is of this machine alone. */
const isLoopback = (address: string): boolean => within(LOOPBACK, address)

/** The name or address of a URL, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** `localhost`, or an address of this machine, as it is written in a URL. */
export function isLocalHost(address: URL): boolean {
  const host = hostOf(address)
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
}

/** As `dns.lookup` with `all`; tests answer themselves. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void

/**
 * Answers only addresses of the internet (`reach: 'internet'`), or only those of this machine. The connection is made to what is answered here and a name is
 * asked for once, so one that is answered otherwise a moment later leads nowhere else (rebinding). One forbidden address among many forbids all.
 */
export function guardedLookup(
  reach: 'internet' | 'loopback' = 'internet',
  resolve: Resolve = askResolver as Resolve,
): LookupFunction {
  const isForbidden = reach === 'internet' ? isInternal : (address: string) => !isLoopback(address)
  return (hostname, options, callback) => {
    resolve(hostname, { family: options.family, all: true }, (error, addresses) => {
      const found = addresses ?? []
      const inside = found.find(({ address }) => isForbidden(address))
      if (error || found.length === 0) callback(error ?? new Error('no address'), '', 4)
      else if (inside) callback(new OutgoingForbidden(`${hostname} เป็นที่อยู่ภายในเครือข่าย (${inside.address})`), '', 4)
      else if (options.all) callback(null, found)
      else callback(null, found[0]!.address, found[0]!.family)
    })
  }
}

/** Throws OutgoingForbidden for an address that is not encrypted, names a user, or is written as one inside the network. A name is judged when it is looked up. */
export function assertOutside(address: URL): void {
  if (address.protocol !== 'https:') throw new OutgoingForbidden(`${address.protocol}// ไม่เข้ารหัส ใช้ได้เฉพาะ https://`)
  if (address.username !== '' || address.password !== '') throw new OutgoingForbidden('ที่อยู่มีชื่อผู้ใช้หรือรหัสผ่าน')
  const host = hostOf(address)
  if (isIP(host) !== 0 && isInternal(host)) throw new OutgoingForbidden(`${host} เป็นที่อยู่ภายในเครือข่าย`)
}
