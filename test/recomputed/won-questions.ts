import { createSeededRandom } from '../world/seeded.ts'
import { containsWord, type RecomputedProject } from './won-figures.ts'

/**
 * Questions about the projects of a file, each as an API search and as a predicate over the file alone: twenty from a
 * fixed seed, twenty for known traps.
 */
export type Question = {
  readonly what: string
  readonly query: Record<string, string>
  readonly finds: (project: RecomputedProject) => boolean
}

/** Words that have a single spelling, because other tests cover spelling variants. */
const WORDS = ['ถนน', 'คอมพิวเตอร์', 'อาคาร', 'ระบบ', 'คลอง', 'โรงพยาบาล', 'คอนกรีต', 'สะพาน', 'สนาม', 'วงจรปิด']
const SIDES = [100_000, 500_000, 1_000_000, 3_000_000, 10_000_000, 50_000_000]

export function generateRandomQuestions(): Question[] {
  const next = createSeededRandom(2568)
  const below = (count: number) => Math.floor(next() * count)
  return Array.from({ length: 20 }, (_, at) => {
    const word = WORDS[below(WORDS.length)]!
    const from = below(SIDES.length)
    const [min, max] = [SIDES[from]!, SIDES[from + 1 + below(SIDES.length - from - 1)] ?? null]
    const column = next() < 0.5 ? 'budget' : 'reference'
    const name = column === 'budget' ? 'project_budget__range' : 'project_estimate_budget__range'
    const isWord = next() < 0.8
    return {
      what: `random ${at + 1}: ${isWord ? word : ''} ${column} ${min}–${max ?? ''}`,
      query: { ...(isWord && { project_name__in: word }), [name]: `${min},${max ?? ''}` },
      finds: (project) => {
        const amount = project[column]
        const isIn = amount !== null && amount >= min * 100 && (max === null || amount <= max * 100)
        return isIn && (!isWord || containsWord(project, word))
      },
    }
  })
}

export function generateTrapQuestions(projects: readonly RecomputedProject[]): Question[] {
  const winners = (project: RecomputedProject) => new Set(project.rows.map(({ winner }) => winner)).size
  const idsOf = Map.groupBy(
    projects.flatMap(({ rows }) => rows),
    ({ winner }) => winner,
  )
  const twoIds = new Set(
    [...idsOf].filter(([, rows]) => new Set(rows.map((row) => row.winner_tin)).size > 1).map(([name]) => name),
  )
  const namesOf = Map.groupBy(
    projects.flatMap(({ rows }) => rows),
    (row) => row.winner_tin,
  )
  const twoNames = new Set(
    [...namesOf]
      .filter(([tin, rows]) => tin !== '' && new Set(rows.map(({ winner }) => winner)).size > 1)
      .map(([tin]) => tin),
  )
  const isDearer = ({ wins, reference }: RecomputedProject) =>
    reference !== null && wins.some(({ value }) => value !== null && value > reference)
  const rate = ({ wins: [win], reference }: RecomputedProject) =>
    win?.isPriced && reference ? (reference - win.value!) / reference : null
  const traps: readonly (readonly [string, (project: RecomputedProject) => boolean])[] = [
    ['several winners', (project) => winners(project) > 1],
    ['more than five winners', (project) => winners(project) > 5],
    ['several contracts of one winner', (project) => project.rows.length > 1 && winners(project) === 1],
    ['consortia', ({ rows }) => rows.some(({ winner }) => winner.includes('กิจการร่วมค้า'))],
    ['ids of consortia', ({ rows }) => rows.some((row) => row.winner_tin.startsWith('D'))],
    ['natural persons', ({ rows }) => rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา'))],
    [
      'persons beside companies',
      ({ rows, wins }) => wins.length > 0 && rows.some(({ winner }) => winner.startsWith('บุคคลธรรมดา')),
    ],
    ['above the reference price', isDearer],
    ['no reference price', ({ reference }) => reference === null],
    ['a name with two ids', ({ rows }) => rows.some(({ winner }) => twoIds.has(winner))],
    ['an id with two names', ({ rows }) => rows.some((row) => twoNames.has(row.winner_tin))],
    ['ids of public bodies', ({ rows }) => rows.some((row) => row.winner_tin.startsWith('0994'))],
    ['no id', ({ rows }) => rows.some((row) => row.winner_tin === '')],
    ['no winner', ({ rows }) => rows.some(({ winner }) => winner === '')],
    ['no signature', ({ decidedOn }) => decidedOn === null],
    [
      'contracts for less than the whole',
      ({ rows, spent }) =>
        rows.some((row) => row.contract_price_agree !== '') &&
        spent !== null &&
        Math.round(Number(rows[0]!.sum_price_agree) * 100) !== spent,
    ],
    ['Thai digits', ({ name }) => /[๐-๙]/.test(name)],
    ['exactly at the reference price', (project) => rate(project) === 0],
    ['a border of the histogram', (project) => [0.02, 0.04, 0.1, 0.2, 0.3].includes(rate(project) ?? -1)],
    ['further than half below', (project) => (rate(project) ?? 0) > 0.5],
  ]
  return traps.map(([what, isIn]) => createIdListQuestion(`trap: ${what}`, projects.filter(isIn)))
}

export function createIdListQuestion(what: string, projects: readonly RecomputedProject[]): Question {
  const ids = projects.slice(0, 200).map(({ id }) => id)
  const idSet = new Set(ids)
  // A URL without ids would match everything.
  const searchedIds = ids.length === 0 ? ['0'] : ids
  return { what, query: { project_id__in: searchedIds.join('||') }, finds: ({ id }) => idSet.has(id) }
}
