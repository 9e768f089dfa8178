import { createHash } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { isObject } from '#server/catalogue/feed/file/json-document.ts'
import { projectsOfAnswer } from '#server/catalogue/feed/sources/cgd-json.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { askJson, type FetchParts } from './ask-json.ts'
import {
  type FileOutcome,
  openFiles,
  recordFetched,
  type SourceFile,
  settleFile,
  settleSame,
  type TakenIn,
} from './files.ts'
import { partsOf } from './list-files.ts'
import { type PacedRound, type RoundEnd, runPaced } from './paced-round.ts'
import type { IntakeSource } from './sources.ts'

export type PageParts = FetchParts & {
  /** Undefined when the stored key can no longer be decrypted. */
  readonly key: string | undefined
  /** Imports pages as one load. Rejects with `FeedFormatError` for unreadable pages. */
  takeIn(pages: readonly { readonly path: string; readonly hash: string }[], name: string): Promise<TakenIn>
}

export const PAGE_ROWS = 1_000
/**
 * Pages per load. Each load resets New and Updated (D3), so fewer loads are better; fifty pages take 100 MB on disk.
 */
const PAGES_AT_ONCE = 50

/**
 * Runs one turn of the contract API. The first page of each year shows whether anything changed; then page follows
 * page. Each page is a row, so after a restart or a used-up quota the round resumes at the same page. Unchanged pages
 * are not imported again.
 */
export async function runPages(db: Db, name: IntakeSource, parts: PageParts): Promise<RoundEnd> {
  return await runPaced(db, name, parts, {
    async turn(round) {
      const { key } = parts
      if (key === undefined)
        return await round.halt('the key cannot be opened with the present AUTH_SECRET: give it again')
      const pages = new Pages(round, parts, key)
      if (round.source.listedNight !== round.night.night) await pages.begin()
      try {
        for (let page = await pages.next(); page; page = await pages.next()) await pages.fetch(page)
      } catch (error) {
        // Import the pages received before the quota was used up.
        if (await pages.hasEnded()) await pages.takeInAll()
        throw error
      }
      await pages.takeInAll()
      return await round.end('complete')
    },
  })
}

class Pages {
  readonly #round: PacedRound
  readonly #parts: PageParts
  readonly #key: string

  constructor(round: PacedRound, parts: PageParts, key: string) {
    this.#round = round
    this.#parts = parts
    this.#key = key
  }

  /** Queues the first page of each year, newest year first; a year in progress resumes where it stopped. */
  async begin(): Promise<void> {
    const years = partsOf(this.#round.source, bangkokToday(this.#round.now())).toReversed()
    await this.#round.write(async (tx) => {
      const open = await openFiles(tx, this.#round.name)
      for (const year of years)
        if (!open.some(({ address }) => address.startsWith(`year=${year}&`))) await this.#queue(tx, year, 0)
      await tx.execute(
        sql`update intake_sources set listed_night = ${this.#round.night.night}::date where source = ${this.#round.name}`,
      )
    })
  }

  async #queue(tx: Db, year: string, offset: number): Promise<void> {
    const address = `year=${year}&offset=${offset}`
    await tx.execute(sql`
      insert into intake_files (source, address, name, found_at)
      values (${this.#round.name}, ${address}, ${`${year} แถวที่ ${offset + 1}–${offset + PAGE_ROWS}`}, ${this.#round.now().toISOString()}::timestamptz)
      on conflict (source, address, version) do update set state = 'waiting', tries = 0
      where intake_files.state not in ('waiting', 'fetched')`)
    await tx.execute(sql`
      update intake_nights set planned = planned + 1 where source = ${this.#round.name} and night = ${this.#round.night.night}::date`)
  }

  /** Returns the next page to fetch. Imports the fetched pages when there are enough for a load. */
  async next(): Promise<SourceFile | undefined> {
    await this.#round.checkTurn()
    const open = await openFiles(this.#round.db, this.#round.name)
    if (open.filter(({ state }) => state === 'fetched').length >= PAGES_AT_ONCE) await this.takeInAll()
    return open.find(({ state }) => state === 'waiting')
  }

  async hasEnded(): Promise<boolean> {
    const [night] = await this.#round.db.query<{ outcome: string | null }>(sql`
      select outcome from intake_nights where source = ${this.#round.name} and night = ${this.#round.night.night}::date`)
    return night?.outcome !== null && night?.outcome !== undefined
  }

  async fetch(page: SourceFile): Promise<void> {
    const { year, offset } = placeOf(page)
    const address = new URL(this.#round.source.address)
    const query = { 'api-key': this.#key, year, limit: PAGE_ROWS, offset }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
    const answer = await askJson(this.#round, this.#parts.get, address, (status) => this.#refused(status))
    const projects = await this.#projectsOf(answer?.value)
    const total = answer && isObject(answer.value) ? totalOf(answer.value) : null
    // The envelope contains the request time, so only the projects are hashed.
    const hash = createHash('sha256').update(JSON.stringify(projects)).digest('hex')
    const isSame = page.hash === hash
    const isUnchanged = isSame && offset === 0 && total !== null && page.validator === String(total)
    if (!isSame && projects.length > 0) {
      await mkdir(this.#folder(), { recursive: true, mode: 0o700 })
      await writeFile(this.#path(page), JSON.stringify({ result: projects }), { mode: 0o600 })
    }
    await this.#round.write(async (tx) => {
      if (isSame) await settleSame(tx, this.#told(), page)
      else if (projects.length === 0) await settleFile(tx, this.#told(), page, { state: 'known', reason: 'ไม่มีแถว' })
      else await recordFetched(tx, page.id, hash)
      await tx.execute(sql`
        update intake_files set validator = ${total === null ? null : String(total)} where id = ${page.id}::bigint`)
      await tx.execute(sql`
        update intake_sources set last_answer_at = ${this.#round.now().toISOString()}::timestamptz where source = ${this.#round.name}`)
      if (projects.length === PAGE_ROWS && !isUnchanged) await this.#queue(tx, year, offset + PAGE_ROWS)
    })
    this.#tell(offset + projects.length, total)
  }

  #tell(done: number, total: number | null): void {
    if (total === null) return
    const secondsLeft = (Math.max(0, total - done) / PAGE_ROWS) * (this.#round.source.paceMs / 1000)
    this.#parts.progress({ unit: 'rows', done, total, secondsLeft })
  }

  /** A quota is per day, so 429 stops until the next window. A rejected key requires the operator. */
  async #refused(reason: string): Promise<void> {
    if (/HTTP 40[13]/.test(reason)) await this.#round.halt(`the key was refused (${reason})`)
    if (reason.includes('HTTP 429')) await this.#round.stop('refused')
  }

  async #projectsOf(value: unknown): Promise<readonly unknown[]> {
    try {
      return projectsOfAnswer(value)
    } catch (error) {
      if (!(error instanceof FeedFormatError)) throw error
      if (/quota|limit|เกินจำนวน|โควตา/i.test(error.message)) await this.#round.stop('refused')
      if (/key|token|unauthori|forbidden/i.test(error.message)) await this.#round.halt(error.message)
      return await this.#round.fault({ kind: 'broken', reason: error.message })
    }
  }

  async takeInAll(): Promise<void> {
    const fetched = (await openFiles(this.#round.db, this.#round.name)).filter(({ state }) => state === 'fetched')
    const here: (SourceFile & { readonly hash: string })[] = []
    for (const page of fetched) {
      if (page.hash !== null && (await stat(this.#path(page)).catch(() => undefined)))
        here.push({ ...page, hash: page.hash })
      // The page was fetched on another machine, so fetch it again.
      else
        await this.#round.write((tx) =>
          tx.execute(sql`update intake_files set state = 'waiting', hash = null where id = ${page.id}::bigint`),
        )
    }
    if (here.length === 0) return
    const outcome = await this.#outcomeOf(here)
    await this.#round.write(async (tx) => {
      // Only the first page records the load's counts; the others record zeros.
      for (const [place, page] of here.entries())
        await settleFile(
          tx,
          this.#told(),
          page,
          place === 0 || outcome.state !== 'imported' ? outcome : { ...outcome, ...NOTHING },
        )
    })
    for (const page of here) await rm(this.#path(page), { force: true })
  }

  async #outcomeOf(pages: readonly (SourceFile & { readonly hash: string })[]): Promise<FileOutcome> {
    try {
      const files = pages.map((page) => ({ path: this.#path(page), hash: page.hash }))
      return { state: 'imported', ...(await this.#parts.takeIn(files, `CGD ${pages[0]!.name}`)) }
    } catch (error) {
      if (error instanceof FeedFormatError) return { state: 'failed', reason: error.message }
      throw error
    }
  }

  #told() {
    return { source: this.#round.name, night: this.#round.night.night, at: this.#round.now() }
  }

  #folder = () => path.join(this.#parts.dataDir, 'intake', this.#round.name)
  #path = ({ id }: Pick<SourceFile, 'id'>) => path.join(this.#folder(), `${id}.json`)
}

const NOTHING: TakenIn = { read: 0, quarantined: 0, newProjects: 0, updatedProjects: 0 }

function placeOf({ address }: SourceFile): { readonly year: string; readonly offset: number } {
  const place = new URLSearchParams(address)
  return { year: place.get('year') ?? '', offset: Number(place.get('offset')) }
}

function totalOf(answer: Record<string, unknown>): number | null {
  const summary = isObject(answer.summary) ? answer.summary.total_project : undefined
  const total = Number(answer.total ?? summary ?? Number.NaN)
  return Number.isFinite(total) ? total : null
}
