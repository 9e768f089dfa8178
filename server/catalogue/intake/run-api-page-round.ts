import { createHash } from 'node:crypto'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { isJsonObject } from '#server/catalogue/feed/file/json-file.ts'
import { extractCgdProjects } from '#server/catalogue/feed/sources/cgd-json.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type FetchJsonDependencies, fetchJson } from './fetch-json.ts'
import {
  type FileImportCounts,
  type IntakeFile,
  type IntakeFileOutcome,
  listPendingIntakeFiles,
  recordIntakeFileFetched,
  recordIntakeFileOutcome,
  recordIntakeFileUnchanged,
} from './files.ts'
import type { IntakeSource } from './intake-sources.ts'
import { selectIntakeSourcePartsToFetch } from './list-files.ts'
import { type IntakeRoundResult, type PacedIntakeRound, runPacedIntakeRound } from './paced-intake-round.ts'

export type ApiPageRoundDependencies = FetchJsonDependencies & {
  /** API key; undefined when the stored key can no longer be decrypted. */
  readonly key: string | undefined
  importPages(
    pages: readonly { readonly path: string; readonly hash: string }[],
    name: string,
  ): Promise<FileImportCounts>
}

const ROWS_PER_API_PAGE = 1_000
/**
 * Pages per load. Each load resets the filters New and Updated (D3), so fewer loads are better; fifty pages take 100 MB
 * on disk.
 */
const PAGES_PER_LOAD = 50

/**
 * Runs one turn of the contract API. The first page of each year shows whether anything changed; if so, the other pages
 * are fetched in order. Each page has a database row, so after a restart or an exhausted quota the round resumes at the
 * same page. Unchanged pages are not imported again.
 */
export async function runApiPageRound(
  db: Db,
  name: IntakeSource,
  deps: ApiPageRoundDependencies,
): Promise<IntakeRoundResult> {
  return await runPacedIntakeRound(db, name, deps, {
    async turn(round) {
      const { key } = deps
      if (key === undefined)
        return await round.halt('the API key cannot be decrypted with the current AUTH_SECRET: enter the key again')
      const pages = new PageFetcher(round, deps, key)
      if (round.source.listedNight !== round.night.night) await pages.begin()
      try {
        for (let page = await pages.next(); page; page = await pages.next()) await pages.fetch(page)
      } catch (error) {
        if (await pages.hasEnded()) await pages.importFetched()
        throw error
      }
      await pages.importFetched()
      return await round.end('complete')
    },
  })
}

class PageFetcher {
  readonly #round: PacedIntakeRound
  readonly #parts: ApiPageRoundDependencies
  readonly #key: string

  constructor(round: PacedIntakeRound, deps: ApiPageRoundDependencies, key: string) {
    this.#round = round
    this.#parts = deps
    this.#key = key
  }

  async begin(): Promise<void> {
    const years = selectIntakeSourcePartsToFetch(this.#round.source, getBangkokToday(this.#round.now())).toReversed()
    await this.#round.write(async (tx) => {
      const openPages = await listPendingIntakeFiles(tx, this.#round.name)
      for (const year of years)
        if (!openPages.some(({ address }) => address.startsWith(`year=${year}&`))) await this.#queue(tx, year, 0)
      await tx.execute(
        sql`update intake_sources set listed_night = ${this.#round.night.night}::date where source = ${this.#round.name}`,
      )
    })
  }

  async #queue(tx: Db, year: string, offset: number): Promise<void> {
    const address = `year=${year}&offset=${offset}`
    await tx.execute(sql`
      insert into intake_files (source, address, name, found_at)
      values (${this.#round.name}, ${address}, ${`${year} แถวที่ ${offset + 1}–${offset + ROWS_PER_API_PAGE}`}, ${this.#round.now().toISOString()}::timestamptz)
      on conflict (source, address, version) do update set state = 'waiting', tries = 0
      where intake_files.state not in ('waiting', 'fetched')`)
    await tx.execute(sql`
      update intake_nights set planned = planned + 1 where source = ${this.#round.name} and night = ${this.#round.night.night}::date`)
  }

  async next(): Promise<IntakeFile | undefined> {
    await this.#round.checkTurn()
    const openPages = await listPendingIntakeFiles(this.#round.db, this.#round.name)
    if (openPages.filter(({ state }) => state === 'fetched').length >= PAGES_PER_LOAD) await this.importFetched()
    return openPages.find(({ state }) => state === 'waiting')
  }

  async hasEnded(): Promise<boolean> {
    const [night] = await this.#round.db.query<{ outcome: string | null }>(sql`
      select outcome from intake_nights where source = ${this.#round.name} and night = ${this.#round.night.night}::date`)
    return night?.outcome !== null && night?.outcome !== undefined
  }

  async fetch(page: IntakeFile): Promise<void> {
    const { year, offset } = parsePageAddress(page)
    const address = new URL(this.#round.source.address)
    const query = { 'api-key': this.#key, year, limit: ROWS_PER_API_PAGE, offset }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
    const response = await fetchJson(this.#round, this.#parts.get, address, (status) => this.#refused(status))
    const projects = await this.#projectsOf(response?.value)
    const total = response && isJsonObject(response.value) ? readTotal(response.value) : null
    // The envelope contains the request time, so only the projects are hashed.
    const hash = createHash('sha256').update(JSON.stringify(projects)).digest('hex')
    const isSame = page.hash === hash
    const isUnchanged = isSame && offset === 0 && total !== null && page.validator === String(total)
    if (!isSame && projects.length > 0) {
      await mkdir(this.#folder(), { recursive: true, mode: 0o700 })
      await writeFile(this.#path(page), JSON.stringify({ result: projects }), { mode: 0o600 })
    }
    await this.#round.write(async (tx) => {
      if (isSame) await recordIntakeFileUnchanged(tx, this.#fileContext(), page)
      else if (projects.length === 0)
        await recordIntakeFileOutcome(tx, this.#fileContext(), page, { state: 'known', reason: 'ไม่มีแถว' })
      else await recordIntakeFileFetched(tx, page.id, hash)
      await tx.execute(sql`
        update intake_files set validator = ${total === null ? null : String(total)} where id = ${page.id}::bigint`)
      await tx.execute(sql`
        update intake_sources set last_answer_at = ${this.#round.now().toISOString()}::timestamptz where source = ${this.#round.name}`)
      if (projects.length === ROWS_PER_API_PAGE && !isUnchanged) await this.#queue(tx, year, offset + ROWS_PER_API_PAGE)
    })
    this.#reportProgress(offset + projects.length, total)
  }

  #reportProgress(done: number, total: number | null): void {
    if (total === null) return
    const secondsLeft = (Math.max(0, total - done) / ROWS_PER_API_PAGE) * (this.#round.source.paceMs / 1000)
    this.#parts.progress({ unit: 'rows', done, total, secondsLeft })
  }

  /**
   * Handles a refusal. The quota is per day, so 429 stops the source until its next opening hours; a rejected key needs
   * the operator.
   */
  async #refused(reason: string): Promise<void> {
    if (/HTTP 40[13]/.test(reason)) await this.#round.halt(`the API key was rejected (${reason})`)
    if (reason.includes('HTTP 429')) await this.#round.stop('refused')
  }

  async #projectsOf(value: unknown): Promise<readonly unknown[]> {
    try {
      return extractCgdProjects(value)
    } catch (error) {
      if (!(error instanceof FeedFormatError)) throw error
      if (/quota|limit|เกินจำนวน|โควตา/i.test(error.message)) await this.#round.stop('refused')
      if (/key|token|unauthori|forbidden/i.test(error.message)) await this.#round.halt(error.message)
      return await this.#round.fault({ kind: 'broken', reason: error.message })
    }
  }

  async importFetched(): Promise<void> {
    const fetched = (await listPendingIntakeFiles(this.#round.db, this.#round.name)).filter(
      ({ state }) => state === 'fetched',
    )
    const localPages: (IntakeFile & { readonly hash: string })[] = []
    for (const page of fetched) {
      if (page.hash !== null && (await stat(this.#path(page)).catch(() => undefined)))
        localPages.push({ ...page, hash: page.hash })
      // Another machine fetched the page, so its file is not here; fetch the page again.
      else
        await this.#round.write((tx) =>
          tx.execute(sql`update intake_files set state = 'waiting', hash = null where id = ${page.id}::bigint`),
        )
    }
    if (localPages.length === 0) return
    const outcome = await this.#outcomeOf(localPages)
    await this.#round.write(async (tx) => {
      // Only the first page records the load's counts; the others record zeros, so that the totals stay correct.
      for (const [index, page] of localPages.entries())
        await recordIntakeFileOutcome(
          tx,
          this.#fileContext(),
          page,
          index === 0 || outcome.state !== 'imported' ? outcome : { ...outcome, ...NO_ROWS },
        )
    })
    for (const page of localPages) await rm(this.#path(page), { force: true })
  }

  async #outcomeOf(pages: readonly (IntakeFile & { readonly hash: string })[]): Promise<IntakeFileOutcome> {
    try {
      const files = pages.map((page) => ({ path: this.#path(page), hash: page.hash }))
      return { state: 'imported', ...(await this.#parts.importPages(files, `CGD ${pages[0]!.name}`)) }
    } catch (error) {
      if (error instanceof FeedFormatError) return { state: 'failed', reason: error.message }
      throw error
    }
  }

  #fileContext() {
    return { source: this.#round.name, night: this.#round.night.night, at: this.#round.now() }
  }

  #folder = () => path.join(this.#parts.dataDir, 'intake', this.#round.name)
  #path = ({ id }: Pick<IntakeFile, 'id'>) => path.join(this.#folder(), `${id}.json`)
}

const NO_ROWS: FileImportCounts = { read: 0, quarantined: 0, newProjects: 0, updatedProjects: 0 }

function parsePageAddress({ address }: IntakeFile): { readonly year: string; readonly offset: number } {
  const params = new URLSearchParams(address)
  return { year: params.get('year') ?? '', offset: Number(params.get('offset')) }
}

function readTotal(response: Record<string, unknown>): number | null {
  const summary = isJsonObject(response.summary) ? response.summary.total_project : undefined
  const total = Number(response.total ?? summary ?? Number.NaN)
  return Number.isFinite(total) ? total : null
}
