import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isLocalGovernmentName } from '#contract/catalogue/agency-name.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type BudgetItemToLink,
  type BudgetLinkRow,
  findBudgetItemsByUnit,
  findDepartmentsOfLoad,
  findLinkableBudgetUnits,
  findProjectsToLink,
  findUnindexedBudgetItems,
  findUnlinkedBudgetLoads,
  findUnlinkedProjectLoads,
  loadBudgetBuyers,
  markBudgetLoadLinked,
  markProjectLoadLinked,
  type ProjectToLink,
  replaceBudgetLinks,
  saveBudgetItemWords,
} from './budget-link-queries.ts'
import {
  type BudgetLinkEvidence,
  computeBudgetLinkConfidence,
  describeBudgetLinkEvidence,
  resolveRivalBudgetLinks,
} from './link-confidence.ts'
import { type LocalBody, matchBudgetBody } from './match-budget-body.ts'
import {
  areDifferentPlaces,
  extractOwnerNames,
  extractPlaceNames,
  isForOtherOwners,
  type PlaceNamesByKind,
} from './places.ts'

/** Raise this when the linking rules change, so that loads linked by an older version are linked again. */
export const BUDGET_LINKS_VERSION = 2

/** A name prepared for letter-by-letter comparison. Opaque here: only the projects feature knows its type. */
type PreparedName = unknown

export type ProjectNameComparator = {
  /** Version of `splitClauseIntoWords`. Clauses that an older version split are split again. */
  readonly version: number
  wordsOf(name: string): readonly number[]
  likeness(a: readonly number[], b: readonly number[]): number
  prepare(name: string): PreparedName
  letters(a: PreparedName, b: PreparedName): number
  numbers(a: PreparedName, b: PreparedName): number
}

export type LinkBudgetOptions = { readonly names: ProjectNameComparator; readonly signal?: AbortSignal | undefined }

const BATCH = 500
const MAX_CANDIDATES = 12

type Item = BudgetItemToLink & {
  preparedName?: PreparedName
  places?: PlaceNamesByKind
  owners?: readonly string[]
  readonly sums: readonly number[]
  readonly purchaseName: string
}
type ItemsByWord = ReadonlyMap<number, readonly Item[]>
type UnitItems = { readonly byWord: ItemsByWord; readonly provinces: readonly number[] }

/** `units`: budget units that the department buys for. `body`: undefined unless the department is a local government. */
type Buyer = { readonly name: string; readonly units: readonly number[]; readonly body: LocalBody | undefined }

/**
 * Links projects to budget items: the projects of loads not linked yet, and all projects when a year was imported
 * again. Each batch is one transaction; after an abort the next run restarts that load or year, with the same result.
 * Returns the number of projects.
 */
export async function linkProjectsToBudgetItems(db: Db, { names, signal }: LinkBudgetOptions): Promise<number> {
  const years = await findUnlinkedBudgetLoads(db)
  const loads = await findUnlinkedProjectLoads(db, BUDGET_LINKS_VERSION)
  if (years.length === 0 && loads.length === 0) return 0
  await splitItemWords(db, names, signal)
  const run = new LinkRun(db, names, await loadBuyers(db))
  // A newly imported year is compared with all projects, including those of the new loads.
  if (years.length > 0) await run.link({ loadId: undefined }, signal)
  for (const loadId of loads) {
    if (years.length === 0) await run.link({ loadId }, signal)
    await markProjectLoadLinked(db, loadId, BUDGET_LINKS_VERSION)
  }
  for (const loadId of years) await markBudgetLoadLinked(db, loadId)
  return run.done
}

async function splitItemWords(db: Db, names: ProjectNameComparator, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const items = await findUnindexedBudgetItems(db, names.version, BATCH)
    if (items.length === 0) return
    const words = items.map(({ id, description }) => ({ id, words: names.wordsOf(stripYearlyShares(description)) }))
    await saveBudgetItemWords(db, words, names.version)
    await yieldToEventLoop()
  }
}

/** Maps each department to the budget units that it buys for: those with the name of the department or of its unit. */
async function loadBuyers(db: Db): Promise<ReadonlyMap<number, Buyer>> {
  const units = new Map(
    (await findLinkableBudgetUnits(db)).map(({ unit, name }) => [toNormalisedSearchText(name), unit]),
  )
  const buyers = new Map<number, Buyer>()
  for (const { id, name, sub_name, agency, place } of await loadBudgetBuyers(db)) {
    const matchingUnits = [
      ...new Set([units.get(toNormalisedSearchText(name)), units.get(toNormalisedSearchText(sub_name))]),
    ]
    const knownUnits = matchingUnits.filter((unit) => unit !== undefined)
    if (knownUnits.length === 0) continue
    const body = isLocalGovernmentName(name) ? { province: place, isNameShared: agency !== name } : undefined
    buyers.set(id, { name, units: knownUnits, body })
  }
  return buyers
}

const YEARLY_SHARES = /(?<!\s)\s*วงเงิน(?:รวม|ทั้งสิ้น)\s*([\d,]+(?:\.\d+)?)\s*บาท[\s\S]*/u
export const stripYearlyShares = (description: string) => description.replace(YEARLY_SHARES, '')

function getPossibleBudgetAmounts({
  description,
  amount_satang,
}: Pick<BudgetItemToLink, 'description' | 'amount_satang'>): number[] {
  const totalBaht = YEARLY_SHARES.exec(description)?.[1]
  const baht = totalBaht === undefined ? [] : [Math.round(Number(totalBaht.replaceAll(',', '')) * 100)]
  return [...(amount_satang === null ? [] : [amount_satang]), ...baht]
}

function amountGapOf(sums: readonly number[], project: number | null): number | null {
  if (project === null || project <= 0 || sums.length === 0) return null
  return Math.min(...sums.map((sum) => (sum <= 0 ? 1 : Math.abs(sum - project) / Math.max(sum, project))))
}

const isOtherProvince = (item: BudgetItemToLink, project: ProjectToLink) =>
  item.province !== null && project.project_province !== null && item.province !== project.project_province

/**
 * Returns whether both items are instalments of one purchase paid over several years, rather than a purchase repeated
 * each year.
 */
const isSameObligation = (a: Item, b: Item) =>
  a.is_multi_year && b.is_multi_year && a.purchaseName === b.purchaseName && a.fiscal_year !== b.fiscal_year

class LinkRun {
  done = 0
  readonly #db: Db
  readonly #names: ProjectNameComparator
  readonly #buyers: ReadonlyMap<number, Buyer>
  readonly #items = new Map<number, UnitItems>()
  readonly #relinkedNames = new Set<string>()

  constructor(db: Db, names: ProjectNameComparator, buyers: ReadonlyMap<number, Buyer>) {
    this.#db = db
    this.#names = names
    this.#buyers = buyers
  }

  async link({ loadId }: { loadId: number | undefined }, signal: AbortSignal | undefined): Promise<void> {
    const departments = [...this.#buyers.keys()]
    const namesakes = loadId === undefined ? [] : await this.#findNamesakes(loadId)
    let after = ''
    for (;;) {
      signal?.throwIfAborted()
      const projects = await findProjectsToLink(this.#db, { departments, loadId, namesakes, after, limit: BATCH })
      if (projects.length === 0) return
      await this.#readItems(projects)
      const links = projects.flatMap((project) => this.#linksOf(project))
      const ids = projects.map(({ project_id }) => project_id)
      await this.#db.transaction((tx) => replaceBudgetLinks(tx, ids, links), { idleTimeoutMs: 0 })
      after = ids.at(-1)!
      this.done += projects.length
      await yieldToEventLoop()
    }
  }

  /**
   * Returns the local governments whose shared name occurs in a load for the first time in this run. The load may contain
   * the first project of another body of that name, which makes links of the others uncertain.
   */
  async #findNamesakes(loadId: number): Promise<number[]> {
    const shared = [...this.#buyers].filter(
      ([, { name, body }]) => body?.isNameShared && !this.#relinkedNames.has(name),
    )
    const ids = shared.map(([id]) => id)
    const bought = new Set(ids.length === 0 ? [] : await findDepartmentsOfLoad(this.#db, loadId, ids))
    const names = new Set(shared.flatMap(([id, { name }]) => (bought.has(id) ? [name] : [])))
    for (const name of names) this.#relinkedNames.add(name)
    return shared.flatMap(([id, { name }]) => (names.has(name) ? [id] : []))
  }

  async #readItems(projects: readonly ProjectToLink[]): Promise<void> {
    const unitIds = new Set(projects.flatMap(({ department_id }) => this.#buyers.get(department_id)!.units))
    const missing = [...unitIds].filter((unit) => !this.#items.has(unit))
    if (missing.length === 0) return
    const byUnit = new Map(
      missing.map((unit) => [unit, { byWord: new Map<number, Item[]>(), provinces: new Set<number>() }]),
    )
    for (const stored of await findBudgetItemsByUnit(this.#db, missing)) {
      const item: Item = {
        ...stored,
        sums: getPossibleBudgetAmounts(stored),
        purchaseName: stripYearlyShares(stored.description),
      }
      const { byWord, provinces } = byUnit.get(item.unit)!
      if (item.province !== null) provinces.add(item.province)
      for (const word of item.words) {
        const items = byWord.get(word)
        if (items) items.push(item)
        else byWord.set(word, [item])
      }
    }
    for (const [unit, { byWord, provinces }] of byUnit) this.#items.set(unit, { byWord, provinces: [...provinces] })
  }

  #statedProvinces({ unit, province }: Item): readonly number[] {
    return province === null ? this.#items.get(unit)!.provinces : [province]
  }

  #linksOf(project: ProjectToLink): BudgetLinkRow[] {
    const { units, body } = this.#buyers.get(project.department_id)!
    const items = new Set(
      units.flatMap((unit) => project.words.flatMap((word) => this.#items.get(unit)!.byWord.get(word) ?? [])),
    )
    const candidates = [...items].flatMap((item) => {
      const yearsLater = project.fiscal_year - item.fiscal_year
      if (yearsLater > 1 || yearsLater < (item.is_multi_year ? -3 : 0)) return []
      const buyer = body ? matchBudgetBody(body, this.#statedProvinces(item)) : 'same'
      if (buyer === 'other') return []
      const amountGap = amountGapOf(item.sums, project.budget_satang)
      const words = this.#names.likeness(item.words, project.words)
      return [
        {
          item,
          isBuyerUnknown: buyer === 'unknown',
          apart: amountGap,
          words,
          yearsLater,
          first: words + (amountGap === null ? 0.4 : Math.max(0, 1 - amountGap)),
        },
      ]
    })
    candidates.sort((a, b) => b.first - a.first || a.item.id - b.item.id)
    const preparedName = this.#names.prepare(project.name)
    const fullName = `${project.name} ${project.unit_name}`
    const places = extractPlaceNames(fullName)
    const links = candidates
      .slice(0, MAX_CANDIDATES)
      .flatMap(({ item, isBuyerUnknown, apart: amountGap, words, yearsLater }) => {
        item.preparedName ??= this.#names.prepare(item.purchaseName)
        item.places ??= extractPlaceNames(item.purchaseName)
        item.owners ??= extractOwnerNames(item.purchaseName)
        const evidence: BudgetLinkEvidence = {
          words,
          letters: this.#names.letters(item.preparedName, preparedName),
          numbers: this.#names.numbers(item.preparedName, preparedName),
          amountGap,
          yearsLater,
          isMultiYear: item.is_multi_year,
          isBuyerUnknown,
          isElsewhere:
            areDifferentPlaces(item.places, places) ||
            isForOtherOwners(item.owners, fullName) ||
            isOtherProvince(item, project),
        }
        const confidence = computeBudgetLinkConfidence(evidence)
        const years = { item: item.fiscal_year, project: project.fiscal_year }
        return confidence === 0 ? [] : [{ item, confidence, reasons: describeBudgetLinkEvidence(evidence, years) }]
      })
    const settled = resolveRivalBudgetLinks(links, (a, b) => a.item === b.item || isSameObligation(a.item, b.item))
    return settled.map(({ item, confidence, reasons }) => ({
      item_id: item.id,
      project_id: project.project_id,
      confidence,
      reasons,
    }))
  }
}
