import type { FirstListFix, FirstListProof, FirstListProofRequest, ProvenProject } from '#contract/market/first-list.ts'
import { MAX_PROOF_PROJECTS } from '#contract/market/first-list.ts'
import { findProvinceByCode, findProvinceByName } from '#contract/thai/province.ts'
import {
  compileMatchRules,
  findExceededMatchLimit,
  type MatchLimits,
  toMatchLimits,
} from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { toFirstListRules } from '#server/matching/first-list/first-list-rules.ts'
import type { BackgroundProjects, FirstListItem } from '#server/matching/first-list/learn-first-list.ts'
import { findSpecificPieces } from '#server/matching/first-list/specific-pieces.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { OpenProject, WonProject } from './queries.ts'

type ProofInput = {
  readonly wins: readonly WonProject[]
  readonly open: readonly OpenProject[]
  readonly background: BackgroundProjects
  readonly blacklist: ReadonlySet<string>
}

export async function proveFirstList(
  request: FirstListProofRequest,
  { wins, open, background, blacklist }: ProofInput,
): Promise<FirstListProof> {
  const items: Pick<FirstListItem, 'list' | 'word'>[] = [
    ...request.words.map((word) => ({ list: 'include' as const, word })),
    ...request.agencies.map((word) => ({ list: 'deptsub_include' as const, word })),
  ]
  const rules = toFirstListRules(0, items, {
    provinces: request.provinces?.flatMap((name) => findProvinceByName(name)?.code ?? []),
    minSatang: Math.round((request.band.min ?? 0) * 100),
    maxSatang: request.band.max === null ? Number.POSITIVE_INFINITY : Math.round(request.band.max * 100),
  })
  const compiled = compileMatchRules([rules])
  const foundBy = (project: WonProject | OpenProject) => {
    const [verdict] = evaluateProjectMatch(compiled, project)
    return verdict?.kind === 'match' ? verdict.reasons.map(({ keyword }) => items[keyword]!.word) : undefined
  }
  const foundWins: ProvenProject[] = []
  const missed: WonProject[] = []
  for (const win of wins.toReversed()) {
    const words = foundBy(win)
    if (words) foundWins.push(present(win, win.decided_on, words))
    else missed.push(win)
  }
  const openMatches = open.flatMap((project) => {
    const words = foundBy(project)
    return words ? [present(project, project.submission_ends_on, words)] : []
  })
  let hits = 0
  const timeSlice = new TimeSlicer()
  for (const project of background.projects) {
    if (evaluateProjectMatch(compiled, project).length > 0) hits += 1
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  // The same words without limits: a win that they find is missed because of its province or price.
  const unlimited = compileMatchRules([toFirstListRules(0, items, UNLIMITED)])
  const pieces = findSpecificPieces(missed, background.projects, blacklist)
  return {
    found: foundWins,
    missed: missed.map((win, index) => ({
      ...present(win, win.decided_on, []),
      fixes: [
        ...(evaluateProjectMatch(unlimited, win).length > 0 ? [] : [fixOfWords(win, pieces[index])]),
        ...fixesOfLimits(win, toMatchLimits(rules)),
      ],
    })),
    open: { total: openMatches.length, results: openMatches.slice(0, MAX_PROOF_PROJECTS) },
    per_working_day: Math.round(hits * background.perDay * 10) / 10,
  }
}

const UNLIMITED = { provinces: undefined, minSatang: 0, maxSatang: Number.POSITIVE_INFINITY } as const

const fixOfWords = (win: WonProject, piece: string | undefined): FirstListFix =>
  piece === undefined ? { kind: 'agency', value: win.dept_sub_name || win.dept_name } : { kind: 'word', value: piece }

function fixesOfLimits(win: WonProject, limits: MatchLimits): FirstListFix[] {
  const fixes: FirstListFix[] = []
  const { budget_satang: budget } = win
  if (budget !== null && (budget < limits.minSatang || budget > limits.maxSatang))
    fixes.push({ kind: 'band', value: String(budget / 100) })
  if (findExceededMatchLimit({ ...limits, minSatang: 0, maxSatang: Number.POSITIVE_INFINITY }, win) === 'province') {
    const province = findProvinceByCode(win.project_province ?? win.dept_province ?? 0)
    fixes.push({ kind: 'province', value: province?.th ?? '' })
  }
  return fixes
}

function present(project: WonProject | OpenProject, date: string | null, found_by: readonly string[]): ProvenProject {
  const province = findProvinceByCode(project.project_province ?? project.dept_province ?? 0)
  return {
    project_id: project.project_id,
    name: project.name,
    dept_name: project.dept_sub_name || project.dept_name,
    province: province?.th ?? null,
    budget: satangToBaht(project.budget_satang),
    date,
    found_by: [...found_by],
  }
}
