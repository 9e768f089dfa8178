import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import iconv from 'iconv-lite'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { findNightlyRunWindowAt } from '#server/catalogue/intake/opening-hours.ts'

/** An announcement published by the fake feed. `at`: when the feed starts to list it. */
export type Published = {
  readonly agency: string
  readonly type: string
  readonly projectId: string
  readonly title: string
  readonly at: Date
  readonly unit?: string
  readonly link?: string
  /** Leaves the title unescaped, like the feed, which contains a bare `&`. */
  readonly isUnescaped?: boolean
}

type FeedQuery = {
  readonly agency: string
  readonly type: string
  readonly unit: string
  /** ISO day that the query asks for; empty for the latest announcements. */
  readonly day: string
}

type FeedReply =
  | { readonly kind: 'xml'; readonly bytes: Buffer }
  | { readonly kind: 'hang' }
  | { readonly kind: 'tooMany' }
  | { readonly kind: 'html' }

/** Behaviour of the real feed (384 probes of May 2026): it responds 17:30-08:30 and hangs otherwise. */
const OPENING = { opensAt: '17:30', closesAt: '08:30' }
const ANSWER_LIMIT = 20
const REACH_DAYS = 7
/** Five requests within `BURST_MS` are a burst. */
const BURST_REQUESTS = 5
const BURST_MS = 10_000

const LABELS: Readonly<Record<string, string>> = {
  B0: 'ร่างเอกสารประกวดราคา (e-Bidding) และร่างเอกสารซื้อหรือจ้างด้วยวิธีสอบราคา',
  D0: 'ประกาศเชิญชวน',
  D1: 'ยกเลิกประกาศเชิญชวน',
  D2: 'เปลี่ยนแปลงประกาศเชิญชวน',
  W0: 'ประกาศรายชื่อผู้ชนะการเสนอราคา / ประกาศผู้ได้รับการคัดเลือก',
  '15': 'ประกาศราคากลาง',
}

/** Fake e-GP feed: stores announcements and answers queries. Tests switch its faults on and off. */
export class EgpFeed {
  readonly queries: (FeedQuery & { readonly at: number; readonly elapsed: number })[] = []
  readonly hanging = new Set<string>()
  /** Overrides every response while set. */
  fault: 'hang' | 'tooMany' | 'html' | undefined
  /** Number of requests that the server still answers normally before the fault starts. */
  faultAfter = 0
  /** Called when a request hangs, so that tests need not wait for it. */
  onHang: () => void = () => undefined
  parallel = 0
  closestMs = Number.POSITIVE_INFINITY
  readonly #published = new Map<string, Published[]>()
  readonly #now: () => Date
  readonly #elapsed: () => number
  #pending = 0
  #empty: Buffer | undefined

  /** `elapsed`: monotonic milliseconds, because the feed measures bursts by its own clock. */
  constructor({ now, elapsed }: { now(): Date; elapsed(): number }) {
    this.#now = now
    this.#elapsed = elapsed
  }

  publish(item: Published): void {
    const key = `${item.agency} ${item.type}`
    const items = this.#published.get(key) ?? []
    items.push(item)
    this.#published.set(key, items)
  }

  /** Changes a project's title in its announcements; their links stay the same. */
  retitle(projectId: string, title: string): void {
    for (const items of this.#published.values())
      for (const [index, item] of items.entries()) if (item.projectId === projectId) items[index] = { ...item, title }
  }

  begin(query: FeedQuery): FeedReply {
    const elapsed = this.#elapsed()
    const last = this.queries.at(-1)
    if (last) this.closestMs = Math.min(this.closestMs, elapsed - last.elapsed)
    if (this.#pending > 0) this.parallel += 1
    this.#pending += 1
    this.queries.push({ ...query, at: this.#now().getTime(), elapsed })
    const fifth = this.queries.at(-BURST_REQUESTS)
    if (this.fault && this.queries.length > this.faultAfter)
      return this.fault === 'tooMany' ? { kind: 'tooMany' } : { kind: this.fault }
    if (
      this.#pending > 1 ||
      findNightlyRunWindowAt(OPENING, this.#now()) === undefined ||
      this.hanging.has(query.agency)
    )
      return { kind: 'hang' }
    if (this.queries.length >= BURST_REQUESTS && fifth && elapsed - fifth.elapsed < BURST_MS) return { kind: 'tooMany' }
    return { kind: 'xml', bytes: this.#answer(query) }
  }

  end(): void {
    this.#pending -= 1
  }

  #answer({ agency, type, unit, day }: FeedQuery): Buffer {
    const now = this.#now()
    const today = getBangkokToday(now)
    const visible = (this.#published.get(`${agency} ${type}`) ?? []).filter(
      (item) => item.at <= now && (unit === '' || item.unit === unit),
    )
    const from = addDays(today, -REACH_DAYS)
    const matching = visible.filter(({ at }) =>
      day === '' ? getBangkokToday(at) >= from : getBangkokToday(at) === day,
    )
    const count = visible.filter(({ at }) => getBangkokToday(at) === (day === '' ? today : day)).length
    if (matching.length === 0 && count === 0) {
      this.#empty ??= encode([], 0)
      return this.#empty
    }
    return encode(matching.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, ANSWER_LIMIT), count)
  }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function encode(items: readonly Published[], count: number): Buffer {
  const xml = items.map(
    (item) =>
      `<item><title>${item.isUnescaped ? item.title : escaped(item.title)}</title><link>${escaped(linkOf(item))}</link><description>${item.projectId}, ประกวดราคาอิเล็กทรอนิกส์ (e-bidding), ${LABELS[item.type] ?? item.type}</description><pubDate>${getBangkokToday(item.at)}</pubDate><guid></guid></item>`,
  )
  return iconv.encode(
    `<?xml version="1.0" encoding="windows-874"?><rss version="2.0"><channel><title>e-GP</title><language>th</language><countbyday>${count}</countbyday>${xml.join('')}</channel></rss>`,
    'win874',
  )
}

export const linkOf = ({ link, projectId, type }: Published) =>
  link ?? `https://process5.gprocurement.go.th/egp-template-service/dwnt/view-pdf-file?templateId=${projectId}-${type}`

type EgpServer = {
  readonly address: string
  readonly agents: Set<string>
  close(): Promise<void>
}

/** Serves the feed on a local port, with the same wrong charset header as the real one. */
export async function startEgpServer(feed: EgpFeed): Promise<EgpServer> {
  const agents = new Set<string>()
  const server = createServer((request, response) => {
    agents.add(request.headers['user-agent'] ?? '')
    const reply = feed.begin(readQuery(request))
    response.once('close', () => feed.end())
    send(response, reply, feed.onHang)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/EPROCRssFeedWeb/egpannouncerss.xml`,
    agents,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readQuery({ url = '/' }: IncomingMessage): FeedQuery {
  const { searchParams } = new URL(url, 'http://feed')
  const day = searchParams.get('announceDate') ?? ''
  return {
    agency: searchParams.get('deptId') ?? '',
    unit: searchParams.get('deptsubId') ?? '',
    // Misspelt as in the real feed, which ignores the right spelling.
    type: searchParams.get('anounceType') ?? '',
    day: day === '' ? '' : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
  }
}

function send(response: ServerResponse, reply: FeedReply, onHang: () => void): void {
  switch (reply.kind) {
    case 'hang':
      onHang()
      return
    case 'tooMany':
      response.writeHead(429).end()
      return
    case 'html':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><html><body>Request Rejected</body></html>')
      return
    case 'xml':
      response.writeHead(200, { 'content-type': 'text/xml;charset=ISO-8859-1' }).end(reply.bytes)
  }
}
