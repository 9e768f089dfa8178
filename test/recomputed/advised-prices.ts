import type { CsvRow } from '../company-figures.ts'

/**
 * Price advice by a file of CGD contracts, computed from the file alone: no line of the feed, the load, the traits or the advice is used. How a name is cut
 * into words, and how much a word says, is given: they come of a learned vocabulary. Money is whole satang.
 */
export type NameCut = {
  wordsOf(name: string): readonly number[]
  weightOf(word: number): number
}

export type Told = CsvRow &
  Readonly<
    Record<
      'project_type_name' | 'contract_no' | 'dept_sub_name' | 'announce_date' | 'project_status' | 'province',
      string
    >
  >

export type OwnTender = {
  readonly id: string
  readonly name: string
  readonly rows: readonly Told[]
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

/** Digits, not floating point: 1308608.32 * 100 is no whole number. */
function satang(text: string): number | null {
  if (text === '') return null
  const [baht, rest = ''] = text.split('.')
  return Number(baht) * 100 + Number(`${rest}00`.slice(0, 2))
}

const isAbove = (amount: number | null): amount is number => amount !== null && amount > 0
const letters = (text: string) => text.replaceAll('\u0e4d\u0e32', '\u0e33').replaceAll(' ', '').replaceAll('.', '')
const partyOf = (row: Told) =>
  /^[0D]\d{12}$/.test(row.winner_tin) && !/^0+$/.test(row.winner_tin) ? row.winner_tin : letters(row.winner)

function roadOf(method: string): string {
  if (method.endsWith('เฉพาะเจาะจง')) return 'specific'
  if (method.endsWith('คัดเลือก')) return 'selective'
  return 'open'
}

const LOCAL = /^(เทศบาล|องค์การบริหารส่วน|โรงเรียน|วิทยาลัย)/

/** Every project of the file. `typeOf`: what is bought where the file does not say it. */
export function ownTenders(
  rows: readonly Told[],
  {
    cut,
    typeOf,
    ministryOf,
  }: {
    readonly cut: NameCut
    readonly typeOf: (row: Told) => string
    readonly ministryOf: (dept: string) => string | undefined
  },
): OwnTender[] {
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

/** How much of two names is the same kind of work: shared words by weight and place, against all of both. */
function likeness(a: readonly number[], b: readonly number[], cut: NameCut): number {
  const place = (words: readonly number[], word: number) => Math.max(0.3, 1 - 0.2 * words.indexOf(word))
  const all = (words: readonly number[]) =>
    words.reduce((sum, word) => sum + cut.weightOf(word) * place(words, word), 0)
  const shared = a
    .filter((word) => b.includes(word))
    .reduce((sum, word) => sum + cut.weightOf(word) * (place(a, word) + place(b, word)), 0)
  return shared / (all(a) + all(b))
}

const fiscal = (day: string) => Number(day.slice(0, 4)) + 543 + (Number(day.slice(5, 7)) >= 10 ? 1 : 0)
const isWithin = (size: number | null, own: number | null, factor: number) =>
  own === null || (size !== null && size >= Math.ceil(own / factor) && size <= Math.floor(own * factor))
const rounded = (share: number) => Math.round(share * 10_000) / 10_000
const rate = ({ reference, won }: OwnTender) => (reference! - won!) / reference!

function quartiles(of: readonly OwnTender[]): string {
  const rates = of.map(rate).sort((a, b) => a - b)
  const at = (part: number) => {
    const place = (rates.length - 1) * part
    const [low, high] = [rates[Math.floor(place)]!, rates[Math.ceil(place)]!]
    return rates.length < 5 ? null : rounded(low + (high - low) * (place - Math.floor(place)))
  }
  return [rates.length, at(0.25), at(0.5), at(0.75)].join(' ')
}

const newest = (a: OwnTender, b: OwnTender) => (a.day === b.day ? (a.id < b.id ? -1 : 1) : a.day > b.day ? -1 : 1)
const BANDS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000, Infinity]

/** The figures of the advice on a project, as texts of names and whole numbers. `pool`: all that share its first word. `rates`: prices to hold against. */
export function ownAdvice(
  asked: OwnTender,
  pool: readonly OwnTender[],
  { cut, today, rates }: { readonly cut: NameCut; readonly today: string; readonly rates: readonly number[] },
): Record<string, unknown> {
  const circle = (states: readonly string[]) => {
    const kind = pool.filter(
      (one) =>
        one.id !== asked.id &&
        states.includes(one.state) &&
        one.type === asked.type &&
        one.road === asked.road &&
        isWithin(one.size, asked.size, 10),
    )
    const latest = kind.toSorted(newest).slice(0, 2_000)
    const ours = kind.length < 2_000 ? [] : kind.filter(({ agency }) => agency === asked.agency).toSorted(newest)
    return [...new Set([...latest, ...ours.slice(0, 2_000)])].filter(
      ({ words }) =>
        words.includes(asked.words[0]!) && asked.words.includes(words[0]!) && likeness(asked.words, words, cut) >= 0.6,
    )
  }
  const [priced, others] = [circle(['priced']), circle(['unpriced', 'unclear'])]
  const recent = fiscal(today) - 2
  const isOurs = (one: OwnTender) => one.agency === asked.agency
  const isKin = (one: OwnTender) => isOurs(one) || one.ministry === asked.ministry
  const isNow = (one: OwnTender) => one.day !== '' && fiscal(one.day) >= recent
  const isNear = (one: OwnTender) => isWithin(one.size, asked.size, 3)
  const steps: [string, (one: OwnTender) => boolean][] = [
    ['agency', (one) => isOurs(one) && isNow(one) && isNear(one)],
    ['ministry', (one) => isKin(one) && isNow(one) && isNear(one)],
    ['all', (one) => isNow(one) && isNear(one)],
    ['years', isNear],
    ['sizes', () => true],
  ]
  const there = steps.filter(([name]) => name !== 'ministry' || asked.ministry !== undefined)
  const [step, holds] = there.find(([, isIn]) => priced.filter(isIn).length >= 8) ?? there.at(-1)!
  const found = priced.filter(holds)
  const far = ({ size }: OwnTender) =>
    size === null || asked.size === null ? 0 : Math.abs(Math.log(size / asked.size))
  const taken = found
    .toSorted(
      (a, b) =>
        likeness(asked.words, b.words, cut) - likeness(asked.words, a.words, cut) || far(a) - far(b) || newest(a, b),
    )
    .slice(0, 200)
  const apart = others.filter(holds)
  const [sum, won] = [
    taken.reduce((all, { reference }) => all + BigInt(reference!), 0n),
    taken.reduce((all, one) => all + BigInt(one.won!), 0n),
  ]
  return {
    steps: there.map(([name, isIn]) => `${name} ${priced.filter(isIn).length}`).join(', '),
    step,
    found: found.length,
    without_reference: apart.filter(({ state }) => state === 'unpriced').length,
    without_clear_price: apart.filter(({ state }) => state === 'unclear').length,
    above_reference: taken.filter((one) => one.won! > one.reference!).length,
    quartiles: quartiles(taken),
    weighted: sum === 0n ? null : rounded(Number(sum - won) / Number(sum)),
    rows: taken.map(({ id, reference, won: price }) => `${id} ${reference} ${price}`).join(', '),
    below: rates.map((millionths) => {
      const k = taken.filter(
        (one) => BigInt(1_000_000 - millionths) * BigInt(one.reference!) < BigInt(one.won!) * 1_000_000n,
      ).length
      return `${k} of ${taken.length}`
    }),
    bands: BANDS.slice(1).flatMap((to, at) => {
      const those = priced.filter(({ reference }) => reference! >= BANDS[at]! * 100 && reference! < to * 100)
      return those.length === 0 ? [] : `${BANDS[at]} ${quartiles(those)}`
    }),
    // Six at most, equal numbers in any order: the own one and the counts.
    agencies: [...Map.groupBy(priced, ({ agency }) => agency)]
      .sort(([a, x], [b, y]) => Number(b === asked.agency) - Number(a === asked.agency) || y.length - x.length)
      .slice(0, 6)
      .map(([agency, those]) => `${agency === asked.agency} ${those.length}`),
    years: [...Map.groupBy(priced, ({ day }) => (day === '' ? 0 : fiscal(day)))]
      .sort(([a], [b]) => b - a)
      .map(([year, those]) => `${year} ${quartiles(those)}`),
  }
}
