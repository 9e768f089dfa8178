import type { OutgoingGetFn } from '#server/platform/outgoing/outgoing-get.ts'
import { classifyDownloadError, classifyDownloadStatus, type DownloadFailure, isHtmlPage } from './download.ts'
import type { IntakeRoundDependencies, PacedIntakeRound } from './paced-intake-round.ts'
import type { IntakeSourceProgress } from './source-overviews.ts'

export type FetchJsonDependencies = IntakeRoundDependencies & {
  readonly get: OutgoingGetFn
  readonly dataDir: string
  progress(value: IntakeSourceProgress): void
}

/** Limit for package lists and API pages; a page of a thousand projects is 2 MB. */
const MAX_JSON_BYTES = 64 * 2 ** 20

/**
 * Fetches and parses a JSON document. Returns undefined if it is `gone`; any other failure ends the round. `refused`
 * lets the caller end the round in its own way.
 */
export async function fetchJson(
  round: PacedIntakeRound,
  get: OutgoingGetFn,
  address: URL,
  refused?: (reason: string) => Promise<void>,
): Promise<{ readonly value: unknown } | undefined> {
  await round.takeTurn()
  const result = await fetchText(round, get, address)
  if (result.kind === 'text') {
    try {
      return { value: JSON.parse(result.text) }
    } catch {
      return await round.fault({ kind: 'broken', reason: 'คำตอบไม่ใช่ JSON ที่ครบถ้วน' })
    }
  }
  if (result.kind === 'refused') await refused?.(result.reason)
  return result.kind === 'gone' ? undefined : await round.fault(result)
}

async function fetchText(
  { deps: { signal }, host }: PacedIntakeRound,
  get: OutgoingGetFn,
  address: URL,
): Promise<DownloadFailure | { readonly kind: 'text'; readonly text: string }> {
  try {
    const response = await get(address, { host, headers: { accept: 'application/json' }, signal })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_JSON_BYTES) return { kind: 'forbidden', reason: 'คำตอบใหญ่เกิน 64 MB' }
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks)
    if (response.status !== 200) return classifyDownloadStatus(response.status)
    return isHtmlPage(body) ? { kind: 'page' } : { kind: 'text', text: body.toString('utf8') }
  } catch (error) {
    return classifyDownloadError(error, signal)
  }
}
