import type { CsvRow } from '../company-figures.ts'

/**
 * Recomputes price advice from a file of CGD contracts alone, without code of the feed, the load, the traits or the
 * advice. Word splitting and word weights are passed in, because both come from a learned vocabulary. Money is whole
 * satang.
 */
type NameCut = {
  wordsOf(name: string): readonly number[]
  weightOf(word: number): number
}

export type TenderRow = CsvRow &
  Readonly<
    Record<
      'project_type_name' | 'contract_no' | 'dept_sub_name' | 'announce_date' | 'project_status' | 'province',
      string
    >
  >

export type RecomputedTender = {
  readonly id: string
  readonly name: string
  readonly rows: readonly TenderRow[]
  readonly type: string
  readonly road: string
  readonly agency: string
  readonly dept: string
  readonly ministry: string | undefined
  readonly size: number | null
  readonly reference: number | null
  readonly won: number | null
  readonly day: string
  readonly state: 'undecided' | 'cancelled' | 'unpriced' | 'unclear' | 'priced'
  readonly words: readonly number[]
}

/** Parses digits instead of using floating point: 1308608.32 * 100 is not an integer. */
function satang(text: string): number | null {
  if (text === '') return null
  const [baht, decimals = ''] = text.split('.')
  return Number(baht) * 100 + Number(`${decimals}00`.slice(0, 2))
}

const isAbove = (amount: number | null): amount is number => amount !== null && amount > 0
const letters = (text: string) => text.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll(' ', '').replaceAll('.', '')
const partyOf = (row: TenderRow) =>
  /^[0D]\d{12}$/.test(row.winner_tin) && !/^0+$/.test(row.winner_tin) ? row.winner_tin : letters(row.winner)

function roadOf(method: string): string {
  if (method.endsWith('เฉพาะเจาะจง')) return 'specific'
  if (method.endsWith('คัดเลือก')) return 'selective'
  return 'open'
}

const LOCAL = /^(เทศบาล|องค์การบริหารส่วน|โรงเรียน|วิทยาลัย)/

export function recomputeTenders(
  rows: readonly TenderRow[],
  {
    cut,
    typeOf,
    ministryOf,
  }: {
    readonly cut: NameCut
    readonly typeOf: (row: TenderRow) => string
    readonly ministryOf: (dept: string) => string | undefined
  },
): RecomputedTender[] {
  return [...Map.groupBy(rows, ({ project_id }) => project_id).values()].map((contracts) => {
    const last = contracts.at(-1)!
    const [reference, won] = [satang(last.price_build), satang(last.sum_price_agree)]
    const parties = new Set(contracts.map(partyOf).filter((party) => party !== ''))
    const parts = contracts.map((row) => satang(row.contract_price_agree))
    const sum = parts.every((part) => part !== null) ? parts.reduce((a, b) => a + b, 0) : won
    const signed = contracts.flatMap(({ contract_date }) => contract_date || []).sort()
    const state =
      last.project_status === 'ยกเลิกโครงการ'
        ? 'cancelled'
        : !isAbove(won)
          ? 'undecided'
          : !isAbove(reference)
            ? 'unpriced'
            : parties.size > 1 || sum !== won
              ? 'unclear'
              : 'priced'
    return {
      id: last.project_id,
      name: last.project_name,
      rows: contracts,
      type: typeOf(last),
      road: roadOf(last.purchase_method_name),
      agency: LOCAL.test(last.dept_name) ? `${last.dept_name} ${last.province}` : last.dept_name,
      dept: last.dept_name,
      ministry: ministryOf(last.dept_name),
      size: [satang(last.project_money), reference, won].find(isAbove) ?? null,
      reference,
      won,
      day: signed[0] ?? last.announce_date,
      state,
      words: cut.wordsOf(last.project_name),
    }
  })
}

/**
 * Returns the similarity of two names: their shared words by weight and position, relative to all words of both names.
 */
function likeness(a: readonly number[], b: readonly number[], cut: NameCut): number {
  const positionWeight = (words: readonly number[], word: number) => Math.max(0.3, 1 - 0.2 * words.indexOf(word))
  const all = (words: readonly number[]) =>
    words.reduce((sum, word) => sum + cut.weightOf(word) * positionWeight(words, word), 0)
  const shared = a
    .filter((word) => b.includes(word))
    .reduce((sum, word) => sum + cut.weightOf(word) * (positionWeight(a, word) + positionWeight(b, word)), 0)
  return shared / (all(a) + all(b))
}

const fiscal = (day: string) => Number(day.slice(0, 4)) + 543 + (Number(day.slice(5, 7)) >= 10 ? 1 : 0)
const isWithin = (size: number | null, target: number | null, factor: number) =>
  target === null || (size !== null && size >= Math.ceil(target / factor) && size <= Math.floor(target * factor))
const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const rate = ({ reference, won }: RecomputedTender) => (reference! - won!) / reference!

function quartiles(of: readonly RecomputedTender[]): string {
  const rates = of.map(rate).sort((a, b) => a - b)
  const at = (part: number) => {
    const position = (rates.length - 1) * part
    const [low, high] = [rates[Math.floor(position)]!, rates[Math.ceil(position)]!]
    return rates.length < 5 ? null : rounded(low + (high - low) * (position - Math.floor(position)))
  }
  return [rates.length, at(0.25), at(0.5), at(0.75)].join(' ')
}

/**
 * Recomputes the band by counting: the value at rank (n + 1)·share lies between the two prices around it. Ends are
 * rounded outwards to a tenth of a point.
 */
function bandOf(tenders: readonly RecomputedTender[], upperShare: number): string | null {
  if (tenders.length < 9) return null
  const rates = tenders.map(rate).sort((a, b) => a - b)
  const at = (share: number) => {
    const rank = Math.max(1, Math.min(rates.length, share * (rates.length + 1)))
    const whole = Math.trunc(rank)
    const [low, high] = [rates[whole - 1]!, rates[Math.min(whole, rates.length - 1)]!]
    return low * (1 - (rank - whole)) + high * (rank - whole)
  }
  // Seven decimals remove the noise of floating point before the ends are rounded.
  const tenths = (value: number) => Number((value * 1000).toFixed(7))
  return [Math.floor(tenths(at(0.03))) / 1000, Math.ceil(tenths(at(upperShare))) / 1000, rates.length].join(' ')
}

const newest = (a: RecomputedTender, b: RecomputedTender) =>
  a.day === b.day ? (a.id < b.id ? -1 : 1) : a.day > b.day ? -1 : 1
const BANDS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000, Infinity]

/**
 * Recomputes the advice figures of a project as text and integers. `pool`: all projects that share its first word;
 * `all`: every project.
 * `rates`: discounts to compare prices with, in millionths.
 */
export function recomputeAdvice(
  target: RecomputedTender,
  pool: readonly RecomputedTender[],
  {
    all,
    cut,
    today,
    rates,
  }: {
    readonly all: readonly RecomputedTender[]
    readonly cut: NameCut
    readonly today: string
    readonly rates: readonly number[]
  },
): Record<string, unknown> {
  const circle = (states: readonly string[]) => {
    const kind = pool.filter(
      (candidate) =>
        candidate.id !== target.id &&
        states.includes(candidate.state) &&
        candidate.type === target.type &&
        candidate.road === target.road &&
        isWithin(candidate.size, target.size, 10),
    )
    const latest = kind.toSorted(newest).slice(0, 2_000)
    const sameAgency = kind.length < 2_000 ? [] : kind.filter(({ agency }) => agency === target.agency).toSorted(newest)
    return [...new Set([...latest, ...sameAgency.slice(0, 2_000)])].filter(
      ({ words }) =>
        words.includes(target.words[0]!) &&
        target.words.includes(words[0]!) &&
        likeness(target.words, words, cut) >= 0.6,
    )
  }
  const isCredible = ({ reference, won }: RecomputedTender) => won! <= reference! * 2
  const allPriced = circle(['priced'])
  const [priced, unpriced] = [allPriced.filter(isCredible), circle(['unpriced', 'unclear'])]
  const recent = fiscal(today) - 2
  const isSameAgency = (tender: RecomputedTender) => tender.agency === target.agency
  const isKin = (tender: RecomputedTender) => isSameAgency(tender) || tender.ministry === target.ministry
  const isNow = (tender: RecomputedTender) => tender.day !== '' && fiscal(tender.day) >= recent
  const isNear = (tender: RecomputedTender) => isWithin(tender.size, target.size, 3)
  const steps: [string, (tender: RecomputedTender) => boolean][] = [
    ['agency', (tender) => isSameAgency(tender) && isNow(tender) && isNear(tender)],
    ['ministry', (tender) => isKin(tender) && isNow(tender) && isNear(tender)],
    ['all', (tender) => isNow(tender) && isNear(tender)],
    ['years', isNear],
    ['sizes', () => true],
  ]
  const there = steps.filter(([name]) => name !== 'ministry' || target.ministry !== undefined)
  const [step, holds] = there.find(([, isIn]) => priced.filter(isIn).length >= 9) ?? there.at(-1)!
  const comparable = priced.filter(holds)
  const far = ({ size }: RecomputedTender) =>
    size === null || target.size === null ? 0 : Math.abs(Math.log(size / target.size))
  const taken = comparable
    .toSorted(
      (a, b) =>
        likeness(target.words, b.words, cut) - likeness(target.words, a.words, cut) || far(a) - far(b) || newest(a, b),
    )
    .slice(0, 200)
  const excluded = unpriced.filter(holds)
  const otherWork = all
    .filter(
      (candidate) =>
        candidate.id !== target.id &&
        candidate.state === 'priced' &&
        candidate.type === target.type &&
        candidate.road === target.road &&
        isSameAgency(candidate) &&
        isNear(candidate),
    )
    .toSorted(newest)
    .slice(0, 200)
    .filter(isCredible)
  const similarBand = bandOf(taken, step === 'years' || step === 'sizes' ? 0.88 : 0.825)
  const agencyBand = bandOf(otherWork, 0.825)
  const [sum, won] = [
    taken.reduce((total, { reference }) => total + BigInt(reference!), 0n),
    taken.reduce((total, tender) => total + BigInt(tender.won!), 0n),
  ]
  return {
    steps: there.map(([name, isIn]) => `${name} ${priced.filter(isIn).length}`).join(', '),
    step,
    found: comparable.length,
    without_reference: excluded.filter(({ state }) => state === 'unpriced').length,
    without_clear_price: excluded.filter(({ state }) => state === 'unclear').length,
    above_reference: taken.filter((tender) => tender.won! > tender.reference!).length,
    quartiles: quartiles(taken),
    band: similarBand ? `similar ${similarBand}` : agencyBand ? `agency ${agencyBand}` : 'too_few',
    in_doubt: allPriced.filter((tender) => !isCredible(tender) && holds(tender)).length,
    weighted: sum === 0n ? null : rounded(Number(sum - won) / Number(sum)),
    rows: taken.map(({ id, reference, won: price }) => `${id} ${reference} ${price}`).join(', '),
    below: rates.map((millionths) => {
      const k = taken.filter(
        (tender) => BigInt(1_000_000 - millionths) * BigInt(tender.reference!) < BigInt(tender.won!) * 1_000_000n,
      ).length
      return `${k} of ${taken.length}`
    }),
    bands: BANDS.slice(1).flatMap((to, at) => {
      const inBand = priced.filter(({ reference }) => reference! >= BANDS[at]! * 100 && reference! < to * 100)
      return inBand.length === 0 ? [] : `${BANDS[at]} ${quartiles(inBand)}`
    }),
    // The response has at most six agencies, with ties in any order, so a line contains only the count and whether it
    // is the project's agency.
    agencies: [...Map.groupBy(priced, ({ agency }) => agency)]
      .sort(([a, x], [b, y]) => Number(b === target.agency) - Number(a === target.agency) || y.length - x.length)
      .slice(0, 6)
      .map(([agency, tenders]) => `${agency === target.agency} ${tenders.length}`),
    years: [...Map.groupBy(priced, ({ day }) => (day === '' ? 0 : fiscal(day)))]
      .sort(([a], [b]) => b - a)
      .map(([year, tenders]) => `${year} ${quartiles(tenders)}`),
  }
}
