import { noiseLevel, type Preview } from '#contract/matching/keyword-impact.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import { evaluateProject } from '#server/matching/evaluate.ts'
import {
  compiledInclusions,
  EXCLUDED,
  IN,
  onlyInclusions,
  type Placement,
  placementUnder,
} from '#server/matching/placement.ts'
import { presentProjects } from '#server/matching/present-project.ts'
import { loadNames } from '#server/matching/queries/impact.ts'
import type { RecentProjects } from '#server/matching/recent-projects.ts'
import { compileRules, type OrganisationRules, type RuleKeyword } from '#server/matching/rules.ts'
import { TimeSlice } from '#server/matching/time-slice.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findTraps, trapSamples } from './traps.ts'

const SAMPLES = 20
/**
 * Sample of an added word's newest projects for measuring overlap: 300 give the share within a few percent, in 15 ms.
 */
const COMPARED = 300
const LEAST_COMPARED = 50
const LEAST_OVERLAP = 0.5
const MOST_OVERLAPS = 3

type Change = {
  readonly recent: RecentProjects
  readonly before: Placement
  readonly after: OrganisationRules
  readonly added: readonly RuleKeyword[]
}

/** Previews the report of the last 30 days under other rules, using the engine that fills the report. */
export async function previewChange(db: Db, { recent, before, after, added }: Change): Promise<Preview> {
  const timeSlice = new TimeSlice()
  const { projects } = recent
  const words = added.filter(({ list }) => list === 'include' || list === 'ai_include')
  // Projects that each word matches and the organisation's limits admit, ignoring exclusions.
  const finds = new Map(words.map(({ id }): [number, number[]] => [id, []]))
  const guilty = new Map<number, string>()
  const then = await placementUnder(recent, after, timeSlice, {
    from: before,
    watched: words,
    onFound(place, ids, by) {
      if (by !== undefined) guilty.set(place, by)
      for (const id of ids) finds.get(id)?.push(place)
    },
  })
  const moved = movesBetween(before, then)
  const { comesIn, leaves } = moved
  const traps = await trapsOf(recent, { words, finds, comesIn, timeSlice })
  const shown = { comesIn: comesIn.slice(0, SAMPLES), leaves: leaves.slice(0, SAMPLES), newest: moved.newest }
  const named = new Set([...Object.values(shown).flat(), ...traps.flatMap((trap) => trap.places)])
  const names = await loadNames(
    db,
    [...named].map((place) => projects[place]!.project_id),
  )
  const rows = presentProjects(recent, names)
  const stored = compiledInclusions(before.rules)
  const total = moved.before + comesIn.length - leaves.length
  const perWorkingDay = total / Math.max(1, countWorkingDays(recent.from, recent.to))
  const finding = isMoreOf(before.rules, after)
    ? [stored, compileRules([{ ...after, keywords: words }])]
    : [compileRules([onlyInclusions(after)])]
  return {
    days: recent.days,
    looked_at: projects.length,
    before: moved.before,
    after: total,
    added: comesIn.length,
    removed: leaves.length,
    per_working_day: Math.round(perWorkingDay * 10) / 10,
    level: noiseLevel(perWorkingDay),
    added_samples: rows(shown.comesIn, finding),
    removed_samples: rows(shown.leaves, [stored]),
    after_samples: rows(shown.newest, finding),
    traps: traps.map(({ of, word, count, places }) => {
      const samples = places.map((place) => names.get(projects[place]!.project_id) ?? projects[place]!.name_spaced)
      return { of, word, count, samples }
    }),
    overlaps: await overlapsOf(recent, before.rules, { words, finds, timeSlice }),
    conflicts: conflictsOf(then, { words, finds, guilty }),
  }
}

type Words = { readonly words: readonly RuleKeyword[]; readonly finds: ReadonlyMap<number, readonly number[]> }

/**
 * Returns the differences between two placements and the newest projects in the report afterwards. Indexes are ordered
 * newest first.
 */
function movesBetween({ places: old }: Placement, { places }: Placement) {
  const [comesIn, leaves, newest]: [number[], number[], number[]] = [[], [], []]
  let before = 0
  for (let place = 0; place < places.length; place += 1) {
    const [was, is] = [old[place] === IN, places[place] === IN]
    if (was) before += 1
    if (is && newest.length < SAMPLES) newest.push(place)
    if (is && !was) comesIn.push(place)
    else if (was && !is) leaves.push(place)
  }
  return { before, comesIn, leaves, newest }
}

/** True if the new rules only add to the old ones, so existing matches retain their words. */
const isMoreOf = (before: OrganisationRules, after: OrganisationRules) =>
  JSON.stringify(before.config) === JSON.stringify(after.config) &&
  before.documented === after.documented &&
  before.keywords.every((keyword) => after.keywords.includes(keyword))

async function trapsOf(
  { projects }: RecentProjects,
  { words, finds, comesIn, timeSlice }: Words & { comesIn: readonly number[]; timeSlice: TimeSlice },
) {
  const isNew = new Uint8Array(projects.length)
  for (const place of comesIn) isNew[place] = 1
  const traps = []
  for (const { id, list, word } of words) {
    if (list !== 'include') continue
    const found = finds.get(id)!.filter((place) => isNew[place] === 1)
    for (const trap of await findTraps(projects, word, { found, added: comesIn, words: words.length, timeSlice }))
      traps.push({ of: word, word: trap.word, count: trap.places.length, places: trapSamples(trap) })
  }
  return traps
}

function conflictsOf(
  { places }: Placement,
  { words, finds, guilty }: Words & { guilty: ReadonlyMap<number, string> },
): Preview['conflicts'] {
  return words.flatMap(({ id, word }) => {
    const counts = new Map<string, number>()
    for (const place of finds.get(id)!) {
      const by = places[place] === EXCLUDED ? guilty.get(place) : undefined
      if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + 1)
    }
    return [...counts].map(([by, count]) => ({ of: word, word: by, count })).sort((a, b) => b.count - a.count)
  })
}

async function overlapsOf(
  { projects }: RecentProjects,
  rules: OrganisationRules,
  { words, finds, timeSlice }: Words & { timeSlice: TimeSlice },
): Promise<Preview['overlaps']> {
  const stored = new Map(
    rules.keywords
      .filter(({ list }) => list === 'include' || list === 'ai_include')
      .map((keyword) => [keyword.id, keyword.word]),
  )
  const compiled = compiledInclusions(rules)
  const overlaps: Preview['overlaps'] = []
  for (const { id, word } of words) {
    const compared = finds.get(id)!.slice(0, Math.max(LEAST_COMPARED, COMPARED / words.length))
    const counts = new Map<number, number>()
    for (const place of compared) {
      const [verdict] = evaluateProject(compiled, projects[place]!)
      if (verdict?.kind === 'match')
        for (const { keyword } of verdict.reasons) counts.set(keyword, (counts.get(keyword) ?? 0) + 1)
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
    const most = [...counts]
      .map(([keyword_id, count]) => ({
        of: word,
        keyword_id,
        word: stored.get(keyword_id),
        share: count / compared.length,
      }))
      .filter(
        (overlap): overlap is Preview['overlaps'][number] =>
          overlap.word !== undefined && overlap.share >= LEAST_OVERLAP,
      )
      .sort((a, b) => b.share - a.share)
    overlaps.push(
      ...most.slice(0, MOST_OVERLAPS).map((overlap) => ({ ...overlap, share: Math.round(overlap.share * 100) / 100 })),
    )
  }
  return overlaps
}
