import { lookup as resolve } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { userAgent } from './ask-feed.ts'

/** A rule of ours forbids the request; nothing was sent. The message says which, in the operator's words. */
export class OutgoingForbidden extends Error {
  override readonly name = 'OutgoingForbidden'
}
/** Nothing came for so long that nobody waits any more. */
export class OutgoingTimeout extends Error {
  override readonly name = 'OutgoingTimeout'
}

/** Nothing of a body for so long: it hangs. */
const IDLE_MS = 30_000
const MOST_REDIRECTS = 3

/** Networks that no source lies in: this machine, private networks, and what only routers use. */
const INTERNAL = new BlockList()
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  INTERNAL.addSubnet(network, bits, 'ipv6')

/** Whether an address is of this machine or a private network; IPv6 addresses that hold an IPv4 one count as that. */
export const isInternal = (address: string): boolean => INTERNAL.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Answers only addresses of the internet, so that a name cannot lead inside, at whatever moment it is asked for. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const found = addresses ?? []
    const inside = found.find(({ address }) => isInternal(address))
    if (error || found.length === 0) callback(error ?? new Error('no address'), '', 4)
    else if (inside) callback(new OutgoingForbidden(`${hostname} เป็นที่อยู่ภายในเครือข่าย (${inside.address})`), '', 4)
    else if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  })
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
}
export type OutgoingRequest = {
  /** The only host that may be asked, also by way of a redirect: that of the source's address. */
  readonly host: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
/** Asks for an address. Rejects with `OutgoingForbidden`, `OutgoingTimeout`, or the fault of the line. */
export type Outgoing = (address: URL, request: OutgoingRequest) => Promise<Answer>

/**
 * GET over https to the one host of a source, by an honest name. A redirect is followed within that host alone. Addresses inside the network are not
 * asked, whatever name leads there. `isLocalAllowed`: tests have the other side on this machine.
 */
export function createOutgoing(options: {
  readonly contact: string
  readonly isLocalAllowed?: boolean
  readonly idleMs?: number
}): Outgoing {
  const { contact, isLocalAllowed = false, idleMs = IDLE_MS } = options
  const assertAllowed = (address: URL, host: string) => {
    if (address.host !== host) throw new OutgoingForbidden(`อยู่ที่ ${address.host} ซึ่งไม่ใช่ ${host} ที่ตั้งไว้`)
    if (isLocalAllowed) return
    if (address.protocol !== 'https:') throw new OutgoingForbidden(`${address.protocol}// ไม่เข้ารหัส ใช้ได้เฉพาะ https://`)
    if (address.username !== '' || address.password !== '') throw new OutgoingForbidden('ที่อยู่มีชื่อผู้ใช้หรือรหัสผ่าน')
    const name = address.hostname.replace(/^\[|\]$/g, '')
    if (isIP(name) !== 0 && isInternal(name)) throw new OutgoingForbidden(`${name} เป็นที่อยู่ภายในเครือข่าย`)
  }
  const ask = (address: URL, { headers, signal }: OutgoingRequest): Promise<Answer> =>
    new Promise((settle, reject) => {
      const request = (address.protocol === 'https:' ? https : http).get(address, {
        headers: { 'user-agent': userAgent(contact), ...headers },
        signal,
        ...(isLocalAllowed ? {} : { lookup: publicLookup }),
      })
      // Counts from the last byte, so it ends what hangs in the middle too.
      let answer: IncomingMessage | undefined
      request.setTimeout(idleMs, () => {
        const timeout = new OutgoingTimeout('nothing came')
        // Whoever reads the body is told the same as one who waits for it.
        answer?.destroy(timeout)
        request.destroy(timeout)
      })
      request.once('error', reject)
      request.once('response', (body) => {
        answer = body
        settle({ status: body.statusCode ?? 0, headers: body.headers, body })
      })
    })
  return async (address, request) => {
    let next = address
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      assertAllowed(next, request.host)
      const answer = await ask(next, request)
      const { location } = answer.headers
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return answer
      answer.body.destroy()
      if (!URL.canParse(location, next.href)) throw new OutgoingForbidden('ถูกส่งต่อไปที่อยู่ที่อ่านไม่ได้')
      next = new URL(location, next)
    }
    throw new OutgoingForbidden(`ถูกส่งต่อเกิน ${MOST_REDIRECTS} ครั้ง`)
  }
}
