import { getKeywordNoiseLevel, type KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'
import {
  compileMatchRules,
  type MatchRuleKeyword,
  type OrganisationMatchRules,
} from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { presentKeywordImpactProjects } from '#server/matching/present-keyword-impact-project.ts'
import { loadKeywordImpactProjectNames } from '#server/matching/queries/impact.ts'
import type { RecentProjects } from '#server/matching/recent-projects.ts'
import {
  compileInclusionRules,
  computeProjectRuleOutcomes,
  type ProjectRuleOutcomes,
  RULE_OUTCOME_EXCLUDED,
  RULE_OUTCOME_MATCHED,
  removeExclusionKeywords,
} from '#server/matching/rule-placement.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findAccidentalKeywordMatches, getAccidentalMatchSampleIndexes } from './find-accidental-keyword-matches.ts'

const MAX_SAMPLES = 20
/**
 * Newest projects of an added word that are compared to measure overlap: 300 give the share within a few percent, in 15
 * ms.
 */
const OVERLAP_SAMPLE_SIZE = 300
const MIN_COMPARED = 50
const MIN_OVERLAP = 0.5
const MAX_OVERLAPS = 3

type Change = {
  readonly recent: RecentProjects
  readonly before: ProjectRuleOutcomes
  readonly after: OrganisationMatchRules
  readonly added: readonly MatchRuleKeyword[]
}

export async function previewKeywordChange(db: Db, { recent, before, after, added }: Change): Promise<KeywordPreview> {
  const timeSlice = new TimeSlicer()
  const { projects } = recent
  const words = added.filter(({ list }) => list === 'include' || list === 'ai_include')
  const matchesByWord = new Map(words.map(({ id }): [number, number[]] => [id, []]))
  const guilty = new Map<number, string>()
  const newPlacement = await computeProjectRuleOutcomes(recent, after, timeSlice, {
    from: before,
    watched: words,
    onMatch(index, ids, by) {
      if (by !== undefined) guilty.set(index, by)
      for (const id of ids) matchesByWord.get(id)?.push(index)
    },
  })
  const diff = diffPlacements(before, newPlacement)
  const { comesIn: entering, leaves: leaving } = diff
  const traps = await collectTraps(recent, { words, matchesByWord, entering, timeSlice })
  const sampleLists = {
    comesIn: entering.slice(0, MAX_SAMPLES),
    leaves: leaving.slice(0, MAX_SAMPLES),
    newest: diff.newest,
  }
  const sampleIndexes = new Set([...Object.values(sampleLists).flat(), ...traps.flatMap((trap) => trap.places)])
  const names = await loadKeywordImpactProjectNames(
    db,
    [...sampleIndexes].map((index) => projects[index]!.project_id),
  )
  const rows = presentKeywordImpactProjects(recent, names)
  const stored = compileInclusionRules(before.rules)
  const total = diff.before + entering.length - leaving.length
  const perWorkingDay = total / Math.max(1, countWorkingDays(recent.from, recent.to))
  const finding = onlyAdds(before.rules, after)
    ? [stored, compileMatchRules([{ ...after, keywords: words }])]
    : [compileMatchRules([removeExclusionKeywords(after)])]
  return {
    days: recent.days,
    looked_at: projects.length,
    before: diff.before,
    after: total,
    added: entering.length,
    removed: leaving.length,
    per_working_day: Math.round(perWorkingDay * 10) / 10,
    level: getKeywordNoiseLevel(perWorkingDay),
    added_samples: rows(sampleLists.comesIn, finding),
    removed_samples: rows(sampleLists.leaves, [stored]),
    after_samples: rows(sampleLists.newest, finding),
    traps: traps.map(({ of, word, count, places: indexes }) => {
      const samples = indexes.map((index) => names.get(projects[index]!.project_id) ?? projects[index]!.name_spaced)
      return { of, word, count, samples }
    }),
    overlaps: await findOverlaps(recent, before.rules, { words, matchesByWord, timeSlice }),
    conflicts: countConflicts(newPlacement, { words, matchesByWord, guilty }),
  }
}

type MatchedWords = {
  readonly words: readonly MatchRuleKeyword[]
  readonly matchesByWord: ReadonlyMap<number, readonly number[]>
}

function diffPlacements({ states: oldStates }: ProjectRuleOutcomes, { states }: ProjectRuleOutcomes) {
  const [entering, leaving, newest]: [number[], number[], number[]] = [[], [], []]
  let before = 0
  for (let index = 0; index < states.length; index += 1) {
    const [wasIn, isIn] = [oldStates[index] === RULE_OUTCOME_MATCHED, states[index] === RULE_OUTCOME_MATCHED]
    if (wasIn) before += 1
    if (isIn && newest.length < MAX_SAMPLES) newest.push(index)
    if (isIn && !wasIn) entering.push(index)
    else if (wasIn && !isIn) leaving.push(index)
  }
  return { before, comesIn: entering, leaves: leaving, newest }
}

/** True if the new rules only add to the old ones, so existing matches keep their words. */
const onlyAdds = (before: OrganisationMatchRules, after: OrganisationMatchRules) =>
  JSON.stringify(before.config) === JSON.stringify(after.config) &&
  before.documented === after.documented &&
  before.keywords.every((keyword) => after.keywords.includes(keyword))

async function collectTraps(
  { projects }: RecentProjects,
  { words, matchesByWord, entering, timeSlice }: MatchedWords & { entering: readonly number[]; timeSlice: TimeSlicer },
) {
  const isNew = new Uint8Array(projects.length)
  for (const index of entering) isNew[index] = 1
  const traps = []
  for (const { id, list, word } of words) {
    if (list !== 'include') continue
    const enteringMatches = matchesByWord.get(id)!.filter((index) => isNew[index] === 1)
    for (const trap of await findAccidentalKeywordMatches(projects, word, {
      matches: enteringMatches,
      added: entering,
      words: words.length,
      timeSlice,
    }))
      traps.push({
        of: word,
        word: trap.word,
        count: trap.indexes.length,
        places: getAccidentalMatchSampleIndexes(trap),
      })
  }
  return traps
}

function countConflicts(
  { states }: ProjectRuleOutcomes,
  { words, matchesByWord, guilty }: MatchedWords & { guilty: ReadonlyMap<number, string> },
): KeywordPreview['conflicts'] {
  return words.flatMap(({ id, word }) => {
    const counts = new Map<string, number>()
    for (const index of matchesByWord.get(id)!) {
      const by = states[index] === RULE_OUTCOME_EXCLUDED ? guilty.get(index) : undefined
      if (by !== undefined) counts.set(by, (counts.get(by) ?? 0) + 1)
    }
    return [...counts].map(([by, count]) => ({ of: word, word: by, count })).sort((a, b) => b.count - a.count)
  })
}

async function findOverlaps(
  { projects }: RecentProjects,
  rules: OrganisationMatchRules,
  { words, matchesByWord, timeSlice }: MatchedWords & { timeSlice: TimeSlicer },
): Promise<KeywordPreview['overlaps']> {
  const stored = new Map(
    rules.keywords
      .filter(({ list }) => list === 'include' || list === 'ai_include')
      .map((keyword) => [keyword.id, keyword.word]),
  )
  const compiled = compileInclusionRules(rules)
  const overlaps: KeywordPreview['overlaps'] = []
  for (const { id, word } of words) {
    const compared = matchesByWord.get(id)!.slice(0, Math.max(MIN_COMPARED, OVERLAP_SAMPLE_SIZE / words.length))
    const counts = new Map<number, number>()
    for (const index of compared) {
      const [verdict] = evaluateProjectMatch(compiled, projects[index]!)
      if (verdict?.kind === 'match')
        for (const { keyword } of verdict.reasons) counts.set(keyword, (counts.get(keyword) ?? 0) + 1)
      const pause = timeSlice.yieldIfDue()
      if (pause) await pause
    }
    const topOverlaps = [...counts]
      .map(([keyword_id, count]) => ({
        of: word,
        keyword_id,
        word: stored.get(keyword_id),
        share: count / compared.length,
      }))
      .filter(
        (overlap): overlap is KeywordPreview['overlaps'][number] =>
          overlap.word !== undefined && overlap.share >= MIN_OVERLAP,
      )
      .sort((a, b) => b.share - a.share)
    overlaps.push(
      ...topOverlaps
        .slice(0, MAX_OVERLAPS)
        .map((overlap) => ({ ...overlap, share: Math.round(overlap.share * 100) / 100 })),
    )
  }
  return overlaps
}
