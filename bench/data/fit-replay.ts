import { findProcurementRule, findRuleTier } from '#contract/catalogue/procurement-rules.ts'
import { addWorkingDays } from '#contract/thai/working-day.ts'
import { compileMatchRules } from '#server/matching/compile-match-rules.ts'
import { evaluateProjectMatch } from '#server/matching/evaluate-project.ts'
import { toFirstListRules } from '#server/matching/first-list/first-list-rules.ts'
import { learnFirstList } from '#server/matching/first-list/learn-first-list.ts'
import { readYearContracts, type YearProject } from './first-list-year.ts'
import { hashText } from './hash-text.ts'

/** A competitive project with the days on which it accepted bids; the last one is computed from the law. */
export type InvitedProject = YearProject & { readonly invited_on: string; readonly closes_on: string }

export type ReplayFirm = {
  readonly taxId: string
  /** Wins signed up to the day of the replay, of all methods. */
  readonly learnt: readonly YearProject[]
  /** Wins by e-bidding that were announced after that day and are in the firm's report. */
  readonly later: readonly InvitedProject[]
  readonly missed: number
  /** Competitive projects of the firm's first list that were announced after that day or just before it. */
  readonly report: readonly InvitedProject[]
}

type ReplayOptions = {
  readonly firms: number
  readonly seed: string
  readonly sample: number
  readonly minLearnt: number
  readonly minLater: number
}

const MAX_WINS = 200
const WORKING_DAYS = 246

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function toInvited(project: YearProject): InvitedProject | undefined {
  const { invited_on: invitedOn, budget_satang: satang } = project
  if (!project.isCompetitive || invitedOn === null) return undefined
  const tiers = findProcurementRule('publicationWorkingDays', invitedOn)
  if (!tiers) return undefined
  // Bids are due on the working day after the shortest publication that the law allows (clauses 51 and 54).
  const published = findRuleTier(tiers.value, (satang ?? 0) / 100) ?? tiers.value[0]!.value
  return { ...project, invited_on: invitedOn, closes_on: addWorkingDays(invitedOn, published + 1) }
}

type Win = { readonly id: string; readonly signedOn: string; readonly invitedOn: string | null }

/** The day on which half of the wins were signed: what is known then is learnt, what is announced later is the answer. */
function findReplayDay(wins: Iterable<Win>): string {
  const days = Array.from(wins, ({ signedOn }) => signedOn).sort()
  return days[Math.ceil(days.length / 2) - 1]!
}

/** Draws firms by a seed and gives each the report of the list that it would have learnt on the day of its replay. */
export async function prepareFitReplay(
  csv: string,
  cache: string,
  { firms: count, seed, sample, minLearnt, minLater }: ReplayOptions,
): Promise<readonly ReplayFirm[]> {
  const winsByFirm = new Map<string, Map<string, Win>>()
  const projects = new Map<string, YearProject>()
  const invited = new Map<string, InvitedProject>()
  const background: YearProject[] = []
  const seen = new Set<string>()
  for await (const { project, winner } of readYearContracts(csv, cache)) {
    const { project_id: id } = project
    if (winner !== undefined) {
      const wins = winsByFirm.get(winner) ?? new Map<string, Win>()
      winsByFirm.set(winner, wins)
      if (!wins.has(id))
        wins.set(id, { id, signedOn: project.movement_on, invitedOn: toInvited(project)?.invited_on ?? null })
    }
    if (seen.has(id)) continue
    seen.add(id)
    const open = toInvited(project)
    if (open) invited.set(id, open)
    if (hashText(id) / 2 ** 32 < sample / 1_386_362) background.push(project)
  }
  const drawn = [...winsByFirm]
    .flatMap(([taxId, wins]) => {
      if (wins.size > MAX_WINS) return []
      const day = findReplayDay(wins.values())
      const learnt = [...wins.values()].filter(({ signedOn }) => signedOn <= day)
      const later = [...wins.values()].filter(({ invitedOn }) => invitedOn !== null && invitedOn > day)
      if (learnt.length < minLearnt || later.length < minLater) return []
      return [{ taxId, day, learnt, later, order: hashText(`${seed} ${taxId}`) }]
    })
    .sort((a, b) => a.order - b.order || compare(a.taxId, b.taxId))
    .slice(0, count)
  const needed = new Set(drawn.flatMap(({ learnt }) => learnt.map(({ id }) => id)))
  for await (const { project } of readYearContracts(csv, cache))
    if (needed.has(project.project_id)) projects.set(project.project_id, project)

  const firms = []
  for (const { taxId, day, learnt, later } of drawn) {
    const knownProjects = background.filter(({ movement_on }) => movement_on <= day)
    const perDay = 1_386_362 / background.length / WORKING_DAYS
    const wins = learnt.map(({ id }) => projects.get(id)!).sort((a, b) => compare(a.movement_on, b.movement_on))
    const list = await learnFirstList(wins, {
      projects: knownProjects,
      perDay: perDay * (background.length / knownProjects.length),
    })
    firms.push({
      taxId,
      day,
      learnt: wins,
      laterIds: new Set(later.map(({ id }) => id)),
      list,
      report: [] as InvitedProject[],
    })
  }
  const rules = compileMatchRules(firms.map(({ list: { items, gate } }, index) => toFirstListRules(index, items, gate)))
  for (const project of invited.values())
    for (const { organisation_id } of evaluateProjectMatch(rules, project)) {
      const firm = firms[organisation_id]!
      if (project.closes_on > firm.day) firm.report.push(project)
    }
  return firms.map(({ taxId, learnt, laterIds, report }) => {
    const later = report.filter(({ project_id }) => laterIds.has(project_id))
    return { taxId, learnt, later, missed: laterIds.size - later.length, report }
  })
}
