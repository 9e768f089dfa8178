import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { OutgoingGetFn } from '#server/platform/outgoing/outgoing-get.ts'
import { ExternalServiceUnavailableError } from '#server/platform/queue/job.ts'
import {
  addDocumentVersion,
  countWaitingDocumentLinks,
  type FetchedDocumentFile,
  findNextDocumentLink,
  type PendingDocumentLink,
  queueDocumentLinks,
  recordFailedDocumentLink,
  recordUnchangedDocumentLink,
} from './document-links.ts'
import { classifyDownloadError, classifyDownloadStatus, type DownloadFailure, isHtmlPage } from './download.ts'
import { addNightlyRunCounts } from './nightly-runs.ts'
import {
  type IntakeRoundDependencies,
  type IntakeRoundResult,
  type PacedIntakeRound,
  runPacedIntakeRound,
} from './paced-intake-round.ts'

export type ReceivedDocumentFile = FetchedDocumentFile & {
  drop(): Promise<void>
}

export type DocumentRoundDependencies = IntakeRoundDependencies & {
  readonly get: OutgoingGetFn
  /** Receives a file of up to 50 MB. `refused` tells the operator why the file was not accepted. */
  receive(content: AsyncIterable<Buffer>): Promise<ReceivedDocumentFile | { readonly refused: string }>
  /** Makes sure that a stored file without references is cleaned up. */
  expect(file: ReceivedDocumentFile): Promise<void>
  /**
   * Stores the file and shares it with the organisations that need it, in the recording transaction; notifies followers
   * of a new version.
   */
  storeFile(tx: Db, link: PendingDocumentLink, file: ReceivedDocumentFile, version: number): Promise<void>
  share(tx: Db): Promise<void>
  /** Limit for a hanging or endless response. Default: 5 minutes, enough for 50 MB at 1.4 Mbit/s. */
  readonly timeLimitMs?: number
}

const TIME_LIMIT_MS = 5 * 60_000
const RECHECK_MS = 15 * 60_000
const MAX_CONSECUTIVE_TIMEOUTS = 5
/**
 * This many HTML pages in a row mean that the server is refusing us: only one link in a hundred leads to a page (1 % of
 * invitations, 9 % of drafts).
 */
const MAX_CONSECUTIVE_PAGES = 4
/** Phrases on the remote firewall's rejection page, which has status 200. */
const REJECTION = /request rejected|access denied|attention required|support id/i

type FetchResult =
  | DownloadFailure
  | { readonly kind: 'file'; readonly file: ReceivedDocumentFile }
  | { readonly kind: 'refused_file'; readonly reason: string }
  | { readonly kind: 'rejected' }

/**
 * Runs one turn: queues links, then fetches them one by one, recording each in its own transaction. After a crash the
 * link in progress is fetched again and recorded once.
 */
export async function runDocumentRound(db: Db, deps: DocumentRoundDependencies): Promise<IntakeRoundResult> {
  return await runPacedIntakeRound(db, 'egp-documents', deps, {
    async turn(round) {
      await round.write(async (tx) => {
        await addNightlyRunCounts(tx, round.name, round.night.night, {
          planned: await queueDocumentLinks(tx, round.now(), round.night),
        })
        await deps.share(tx)
      })
      const links = new LinkFetcher(round, deps)
      for (let link = await links.next(); link; link = await links.next()) await links.fetch(link)
      // The feed round is still running, so keep checking for new links until closing time.
      const until = new Date(round.now().getTime() + RECHECK_MS)
      if (until < round.night.endsAt) return { until, isNightOver: false }
      return await round.end((await countWaitingDocumentLinks(db)) === 0 ? 'complete' : 'cut_short')
    },
  })
}

class LinkFetcher {
  readonly #round: PacedIntakeRound
  readonly #parts: DocumentRoundDependencies
  #timeouts = 0
  #pages = 0

  constructor(round: PacedIntakeRound, deps: DocumentRoundDependencies) {
    this.#round = round
    this.#parts = deps
  }

  async next(): Promise<PendingDocumentLink | undefined> {
    await this.#round.checkTurn()
    return await findNextDocumentLink(this.#round.db, this.#round.night.night)
  }

  async fetch(link: PendingDocumentLink): Promise<void> {
    await this.#round.takeTurn()
    const result = await this.#get(link.link)
    if (result.kind !== 'timeout') this.#timeouts = 0
    if (result.kind !== 'page') this.#pages = 0
    switch (result.kind) {
      case 'file':
        return await this.#settle(link, result.file)
      case 'refused_file':
      case 'gone':
      case 'forbidden':
        return await this.#fail(link, result.reason, true)
      case 'broken':
        return await this.#fail(link, `ขาดตอน (${result.reason})`, false)
      case 'page':
        this.#pages += 1
        await this.#fail(link, 'ได้หน้าเว็บแทนเอกสาร', true)
        if (this.#pages >= MAX_CONSECUTIVE_PAGES) await this.#round.fault(result)
        return
      case 'timeout':
        this.#timeouts += 1
        await this.#fail(link, 'ไม่ตอบในเวลาที่กำหนด', false)
        if (this.#timeouts >= MAX_CONSECUTIVE_TIMEOUTS) await this.#round.fault(result)
        return
      case 'rejected':
        return await this.#round.fault({ kind: 'page' })
      case 'refused':
        return await this.#round.fault(result)
    }
  }

  async #get(address: string): Promise<FetchResult> {
    const { deps, host } = this.#round
    const { get, timeLimitMs = TIME_LIMIT_MS } = this.#parts
    if (!URL.canParse(address)) return { kind: 'forbidden', reason: 'ลิงก์เสีย' }
    const limit = AbortSignal.timeout(timeLimitMs)
    const signal = AbortSignal.any([deps.signal, limit])
    try {
      const response = await get(new URL(address), { host, headers: { accept: '*/*' }, signal })
      if (response.status !== 200) {
        response.body.destroy()
        return classifyDownloadStatus(response.status)
      }
      return await this.#receive(response.body)
    } catch (error) {
      // The file storage is unavailable. The source is not at fault, so retry when the storage is back.
      if (error instanceof ExternalServiceUnavailableError) throw error
      if (limit.aborted && !deps.signal.aborted) return { kind: 'timeout' }
      return classifyDownloadError(error, deps.signal)
    }
  }

  /** Receives a file. Detects HTML pages by their first bytes, regardless of the content type. */
  async #receive(body: AsyncIterable<Buffer>): Promise<FetchResult> {
    let page: Buffer | undefined
    const received = await this.#parts.receive(
      (async function* () {
        let isFirst = true
        for await (const chunk of body) {
          if (isFirst && isHtmlPage(chunk)) page = chunk
          isFirst = false
          yield chunk
        }
      })(),
    )
    if (page) {
      if (!('refused' in received)) await received.drop()
      return REJECTION.test(page.toString('latin1')) ? { kind: 'rejected' } : { kind: 'page' }
    }
    return 'refused' in received ? { kind: 'refused_file', reason: received.refused } : { kind: 'file', file: received }
  }

  async #settle(link: PendingDocumentLink, file: ReceivedDocumentFile): Promise<void> {
    const { name, night } = this.#round
    try {
      const isSame = link.hash === file.hash
      if (!isSame) await this.#parts.expect(file)
      await this.#round.write(async (tx) => {
        const at = this.#round.now()
        if (isSame) await recordUnchangedDocumentLink(tx, link, at)
        else await this.#parts.storeFile(tx, link, file, await addDocumentVersion(tx, link, file, at))
        const isNew = link.hash === null
        await addNightlyRunCounts(tx, name, night.night, {
          ...{ answers: 1, items: 1, newItems: isNew ? 1 : 0, changedItems: isNew || isSame ? 0 : 1 },
        })
        await this.#recordAnswer(tx, at)
      })
    } finally {
      await file.drop()
    }
  }

  async #fail(link: PendingDocumentLink, reason: string, isForTonight: boolean): Promise<void> {
    await this.#round.write(async (tx) => {
      await recordFailedDocumentLink(tx, link, { reason, isForTonight, at: this.#round.now() })
      await addNightlyRunCounts(tx, this.#round.name, this.#round.night.night, { unreadableItems: 1 })
    })
  }

  async #recordAnswer(tx: Db, at: Date): Promise<void> {
    await tx.execute(
      sql`update intake_sources set last_answer_at = ${at.toISOString()}::timestamptz where source = ${this.#round.name}`,
    )
  }
}
