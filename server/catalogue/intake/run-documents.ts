import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { Outgoing } from '#server/platform/outgoing/get.ts'
import { ServiceAway } from '#server/platform/queue/job.ts'
import { type Fault, faultOf, faultOfStatus, isPage } from './download.ts'
import {
  addVersion,
  countWaiting,
  type FetchedFile,
  nextLink,
  recordWanted,
  settleFailedLink,
  settleSameLink,
  type WantedLink,
} from './links.ts'
import { countNight } from './nights.ts'
import { type PacedRound, type RoundEnd, type RoundParts, runPaced } from './paced-round.ts'

/** A completely received file, not yet stored. */
export type Arrived = FetchedFile & {
  drop(): Promise<void>
}

export type DocumentRoundParts = RoundParts & {
  readonly get: Outgoing
  /** Receives up to 50 MB of a file. `refused`: why the file is not accepted, for the operator. */
  receive(content: AsyncIterable<Buffer>): Promise<Arrived | { readonly refused: string }>
  /** Ensures that a stored file without references is cleaned up. */
  expect(file: Arrived): Promise<void>
  /**
   * Stores the file and shares it with the organisations that need it, in the recording transaction; notifies followers
   * of a new version.
   */
  keep(tx: Db, link: WantedLink, file: Arrived, version: number): Promise<void>
  /** Shares stored files with organisations that have started following since. */
  share(tx: Db): Promise<void>
  /** Limit for a hanging or endless response. Default 5 minutes: 50 MB at 1.4 Mbit/s. */
  readonly timeLimitMs?: number
}

const TIME_LIMIT_MS = 5 * 60_000
const LOOK_AGAIN_MS = 15 * 60_000
/** Consecutive timeouts after which the server counts as closed. */
const CLOSED_AFTER = 5
/** One link in a hundred leads to a page (1 % of invitations, 9 % of drafts); this many in a row are a refusal. */
const PAGES_IN_A_ROW = 4
/** Texts of the remote firewall, which sends status 200. */
const REJECTION = /request rejected|access denied|attention required|support id/i

type Got =
  | Fault
  | { readonly kind: 'file'; readonly file: Arrived }
  | { readonly kind: 'refused_file'; readonly reason: string }
  | { readonly kind: 'rejected' }

/**
 * Runs one turn: queues links, then fetches them one by one, each recorded in its own transaction. After a crash the
 * link in progress is fetched again and recorded once.
 */
export async function runDocuments(db: Db, parts: DocumentRoundParts): Promise<RoundEnd> {
  return await runPaced(db, 'egp-documents', parts, {
    async turn(round) {
      await round.write(async (tx) => {
        await countNight(tx, round.name, round.night.night, {
          planned: await recordWanted(tx, round.now(), round.night),
        })
        await parts.share(tx)
      })
      const links = new Links(round, parts)
      for (let link = await links.next(); link; link = await links.next()) await links.fetch(link)
      // The feed is still running, so check for new links until the hours are over.
      const until = new Date(round.now().getTime() + LOOK_AGAIN_MS)
      if (until < round.night.ends) return { until, isNightOver: false }
      return await round.end((await countWaiting(db)) === 0 ? 'complete' : 'cut_short')
    },
  })
}

class Links {
  readonly #round: PacedRound
  readonly #parts: DocumentRoundParts
  #timeouts = 0
  #pages = 0

  constructor(round: PacedRound, parts: DocumentRoundParts) {
    this.#round = round
    this.#parts = parts
  }

  async next(): Promise<WantedLink | undefined> {
    await this.#round.checkTurn()
    return await nextLink(this.#round.db, this.#round.night.night)
  }

  async fetch(link: WantedLink): Promise<void> {
    await this.#round.takeTurn()
    const got = await this.#get(link.link)
    if (got.kind !== 'timeout') this.#timeouts = 0
    if (got.kind !== 'page') this.#pages = 0
    switch (got.kind) {
      case 'file':
        return await this.#settle(link, got.file)
      case 'refused_file':
      case 'gone':
      case 'forbidden':
        return await this.#fail(link, got.reason, true)
      case 'broken':
        return await this.#fail(link, `ขาดตอน (${got.reason})`, false)
      case 'page':
        this.#pages += 1
        await this.#fail(link, 'ได้หน้าเว็บแทนเอกสาร', true)
        if (this.#pages >= PAGES_IN_A_ROW) await this.#round.fault(got)
        return
      case 'timeout':
        this.#timeouts += 1
        await this.#fail(link, 'ไม่ตอบในเวลาที่กำหนด', false)
        if (this.#timeouts >= CLOSED_AFTER) await this.#round.fault(got)
        return
      case 'rejected':
        return await this.#round.fault({ kind: 'page' })
      case 'refused':
        return await this.#round.fault(got)
    }
  }

  async #get(address: string): Promise<Got> {
    const { parts, host } = this.#round
    const { get, timeLimitMs = TIME_LIMIT_MS } = this.#parts
    if (!URL.canParse(address)) return { kind: 'forbidden', reason: 'ลิงก์เสีย' }
    const limit = AbortSignal.timeout(timeLimitMs)
    const signal = AbortSignal.any([parts.signal, limit])
    try {
      const answer = await get(new URL(address), { host, headers: { accept: '*/*' }, signal })
      if (answer.status !== 200) {
        answer.body.destroy()
        return faultOfStatus(answer.status)
      }
      return await this.#receive(answer.body)
    } catch (error) {
      // The file storage is unavailable; retry when it is back, because the source is not at fault.
      if (error instanceof ServiceAway) throw error
      if (limit.aborted && !parts.signal.aborted) return { kind: 'timeout' }
      return faultOf(error, parts.signal)
    }
  }

  /** Detects pages by their first bytes, regardless of the content type. */
  async #receive(body: AsyncIterable<Buffer>): Promise<Got> {
    let page: Buffer | undefined
    const received = await this.#parts.receive(
      (async function* () {
        let isFirst = true
        for await (const part of body) {
          if (isFirst && isPage(part)) page = part
          isFirst = false
          yield part
        }
      })(),
    )
    if (page) {
      if (!('refused' in received)) await received.drop()
      return REJECTION.test(page.toString('latin1')) ? { kind: 'rejected' } : { kind: 'page' }
    }
    return 'refused' in received ? { kind: 'refused_file', reason: received.refused } : { kind: 'file', file: received }
  }

  async #settle(link: WantedLink, file: Arrived): Promise<void> {
    const { name, night } = this.#round
    try {
      const isSame = link.hash === file.hash
      if (!isSame) await this.#parts.expect(file)
      await this.#round.write(async (tx) => {
        const at = this.#round.now()
        if (isSame) await settleSameLink(tx, link, at)
        else await this.#parts.keep(tx, link, file, await addVersion(tx, link, file, at))
        const isNew = link.hash === null
        await countNight(tx, name, night.night, {
          ...{ answers: 1, items: 1, newItems: isNew ? 1 : 0, changedItems: isNew || isSame ? 0 : 1 },
        })
        await this.#recordAnswer(tx, at)
      })
    } finally {
      await file.drop()
    }
  }

  async #fail(link: WantedLink, reason: string, isForTonight: boolean): Promise<void> {
    await this.#round.write(async (tx) => {
      await settleFailedLink(tx, link, { reason, isForTonight, at: this.#round.now() })
      await countNight(tx, this.#round.name, this.#round.night.night, { unreadableItems: 1 })
    })
  }

  async #recordAnswer(tx: Db, at: Date): Promise<void> {
    await tx.execute(
      sql`update intake_sources set last_answer_at = ${at.toISOString()}::timestamptz where source = ${this.#round.name}`,
    )
  }
}
