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

/** A file that has come in whole and is not kept yet. */
export type Arrived = FetchedFile & {
  /** Throws it away, unless it was kept. */
  drop(): Promise<void>
}

export type DocumentRoundParts = RoundParts & {
  readonly get: Outgoing
  /** Takes a file in, at most 50 MB of it. `refused`: it is none that is taken; the operator's words say why. */
  receive(content: AsyncIterable<Buffer>): Promise<Arrived | { readonly refused: string }>
  /** Sees to it that a file which is kept and then named by nobody does not stay. */
  expect(file: Arrived): Promise<void>
  /** Keeps the file and gives it to the organisations that want it, in the transaction that notes it; tells who follows of another version. */
  keep(tx: Db, link: WantedLink, file: Arrived, version: number): Promise<void>
  /** Gives what is here to organisations that have come to want it since. */
  share(tx: Db): Promise<void>
  /** What hangs in the middle or never ends is left after so long; default 5 minutes: 50 MB at 1.4 Mbit/s. */
  readonly timeLimitMs?: number
}

const TIME_LIMIT_MS = 5 * 60_000
/** What the feed brought meanwhile is wanted within so long. */
const LOOK_AGAIN_MS = 15 * 60_000
/** So many in a row: the other side does not answer at all. */
const CLOSED_AFTER = 5
/** One link of a hundred leads to a page (1 % of invitations, 9 % of drafts); so many in a row are a refusal. */
const PAGES_IN_A_ROW = 4
/** What the firewall of the other side says with status 200. */
const REJECTION = /request rejected|access denied|attention required|support id/i

type Got =
  | Fault
  | { readonly kind: 'file'; readonly file: Arrived }
  | { readonly kind: 'refused_file'; readonly reason: string }
  | { readonly kind: 'rejected' }

/**
 * One turn of the documents: notes what is wanted, then fetches link after link, each settled in a transaction of its own. Killed anywhere, the link that was under way is
 * asked again, and what came of it is written once.
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
      // The feed goes on: what it brings has its turn until the hours are over.
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
      // Where files are kept is away: the source is not to blame, and is asked again when that is back.
      if (error instanceof ServiceAway) throw error
      if (limit.aborted && !parts.signal.aborted) return { kind: 'timeout' }
      return faultOf(error, parts.signal)
    }
  }

  /** A page is told from a document by how it begins, whatever its type says. */
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
