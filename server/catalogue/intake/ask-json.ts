import type { Outgoing } from '#server/platform/outgoing/get.ts'
import { type Fault, faultOf, faultOfStatus, isPage } from './download.ts'
import type { SourceProgress } from './overview.ts'
import type { PacedRound, RoundParts } from './paced-round.ts'

export type FetchParts = RoundParts & {
  readonly get: Outgoing
  readonly dataDir: string
  progress(value: SourceProgress): void
}

/** Package lists and API pages; a thousand projects are 2 MB. */
const MOST_JSON_BYTES = 64 * 2 ** 20

/**
 * Fetches and parses a JSON document. Any failure ends the round, except `gone`, which returns undefined. `refused` may
 * end the round in its own way.
 */
export async function askJson(
  round: PacedRound,
  get: Outgoing,
  address: URL,
  refused?: (reason: string) => Promise<void>,
): Promise<{ readonly value: unknown } | undefined> {
  await round.takeTurn()
  const read = await readText(round, get, address)
  if (read.kind === 'text') {
    try {
      return { value: JSON.parse(read.text) }
    } catch {
      return await round.fault({ kind: 'broken', reason: 'คำตอบไม่ใช่ JSON ที่ครบถ้วน' })
    }
  }
  if (read.kind === 'refused') await refused?.(read.reason)
  return read.kind === 'gone' ? undefined : await round.fault(read)
}

async function readText(
  { parts: { signal }, host }: PacedRound,
  get: Outgoing,
  address: URL,
): Promise<Fault | { readonly kind: 'text'; readonly text: string }> {
  try {
    const answer = await get(address, { host, headers: { accept: 'application/json' }, signal })
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > MOST_JSON_BYTES) return { kind: 'forbidden', reason: 'คำตอบใหญ่เกิน 64 MB' }
      parts.push(part)
    }
    const body = Buffer.concat(parts)
    if (answer.status !== 200) return faultOfStatus(answer.status)
    return isPage(body) ? { kind: 'page' } : { kind: 'text', text: body.toString('utf8') }
  } catch (error) {
    return faultOf(error, signal)
  }
}
