import { UnknownEncodingError } from '#server/catalogue/feed/file/encoding.ts'
import { parseRssResponse, type RssResponse } from '#server/catalogue/feed/sources/egp-rss-response.ts'
import { buildUserAgent } from '#server/platform/outgoing/outgoing-get.ts'
import type { AnnouncementQuery } from './announcement-queries.ts'

export type FeedRequestOutcome =
  | { readonly kind: 'answer'; readonly response: RssResponse }
  /** The feed limited or refused the request by its status code, so sending more requests would be abusive. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The response is an HTML page with status 200 instead of the feed, which means a rejection. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'damaged'; readonly reason: string }

export type FeedClient = (query: AnnouncementQuery, signal: AbortSignal) => Promise<FeedRequestOutcome>

/** The feed either answers within 0.54 s or never in useful time, so a longer timeout gains nothing. */
export const FEED_REQUEST_TIMEOUT_MS = 10_000
/** Maximum size of a response, far above a real one: twenty items are 20 kB. */
const MAX_RESPONSE_BYTES = 2 * 2 ** 20

/** Builds the feed URL. `anounceType` is misspelt by the feed; the right spelling is ignored silently. */
export function buildFeedUrl(address: string, { agency, type, day, unit }: AnnouncementQuery): URL {
  const url = new URL(address)
  url.searchParams.set('deptId', agency)
  if (unit !== '') url.searchParams.set('deptsubId', unit)
  url.searchParams.set('anounceType', type)
  // Only winners of e-bidding (16) follow an invitation; those of all methods are three times as many.
  if (type === 'W0') url.searchParams.set('methodId', '16')
  if (day !== '') url.searchParams.set('announceDate', day.replaceAll('-', ''))
  return url
}

/** Creates a client for the real feed: one request, no redirects, no cookies. Rejects only when `signal` aborts. */
export function createFeedClient(options: {
  readonly address: string
  readonly contact: string
  readonly timeLimit?: () => AbortSignal
}): FeedClient {
  const { address, contact, timeLimit = () => AbortSignal.timeout(FEED_REQUEST_TIMEOUT_MS) } = options
  return async (query, signal) => {
    const limit = timeLimit()
    try {
      const response = await fetch(buildFeedUrl(address, query), {
        headers: { 'user-agent': buildUserAgent(contact), accept: 'application/rss+xml, application/xml, text/xml' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, limit]),
      })
      if (response.status !== 200) {
        await response.body?.cancel()
        return { kind: 'refused', reason: `HTTP ${response.status}` }
      }
      return parseFeedRequestOutcome(await readBody(response))
    } catch (error) {
      if (signal.aborted) throw error
      if (limit.aborted) return { kind: 'timeout' }
      return { kind: 'refused', reason: errorCode(error) }
    }
  }
}

export function parseFeedRequestOutcome(bytes: Uint8Array | undefined): FeedRequestOutcome {
  if (bytes === undefined) return { kind: 'damaged', reason: 'more than 2 MB' }
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_000)).toLowerCase()
  if (!head.includes('<rss')) {
    if (head.includes('<html') || head.includes('<!doctype'))
      return { kind: 'rejected', reason: 'received a web page instead of the feed' }
    return { kind: 'damaged', reason: 'no feed' }
  }
  try {
    return { kind: 'answer', response: parseRssResponse(bytes) }
  } catch (error) {
    // A response in an unknown form would recur for every query, so the source halts and its operators are notified.
    if (error instanceof UnknownEncodingError) return { kind: 'rejected', reason: error.message }
    if (error instanceof Error && error.name === 'FeedFormatError') return { kind: 'damaged', reason: error.message }
    throw error
  }
}

async function readBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function errorCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no connection'
}
