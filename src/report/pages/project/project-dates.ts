import type { DeadlineKind } from '#contract/report/deadline-kind.ts'
import type { Deadline } from '#contract/report/deadlines.ts'
import type { ProjectStage, ProjectStageKey, ProjectStageState } from './project-stages.ts'

export type ProjectDate = {
  readonly key: ProjectStageKey | DeadlineKind
  readonly state: ProjectStageState
  readonly date: string | null
  readonly stage?: ProjectStage
  readonly deadline?: Deadline
}

const DEADLINE_OF_STAGE: Readonly<Partial<Record<ProjectStageKey, DeadlineKind>>> = {
  hearing: 'comment',
  submission: 'submission',
  winner: 'result',
  contract: 'signing',
}
/** Dates that bidders prepare for; they matter until their bid day. */
const UNTIL_SUBMISSION: readonly DeadlineKind[] = ['bank_letter', 'question', 'papers']

/**
 * Merges stages and deadlines into one chronological timeline. An undated stage follows the stage that usually precedes
 * it. Omits future entries of a cancelled project, and preparations for a bid day that has passed.
 */
export function buildProjectDates(
  stages: readonly ProjectStage[],
  deadlines: readonly Deadline[],
  today: string,
): ProjectDate[] {
  const isCancelled = stages.some(({ key, state }) => state === 'cancelled' && key !== 'winner')
  const byKind = new Map(deadlines.map((deadline) => [deadline.kind, deadline]))
  const ofStages = stages.map((stage): ProjectDate => {
    const kind = DEADLINE_OF_STAGE[stage.key]
    const deadline = kind && byKind.get(kind)
    const isShown = deadline && !isCancelled && stage.state !== 'cancelled' && deadline.day !== null
    const date = stage.date ?? (isShown ? deadline.day : null)
    return { key: stage.key, state: stage.state, date, stage, ...(isShown && { deadline }) }
  })
  const merged = new Set<DeadlineKind>(Object.values(DEADLINE_OF_STAGE))
  const bidDay = byKind.get('submission')?.day ?? null
  const stated = deadlines.flatMap((deadline): ProjectDate[] => {
    const { kind, day } = deadline
    if (isCancelled || merged.has(kind) || day === null) return []
    const lastUseful = UNTIL_SUBMISSION.includes(kind) ? bidDay : kind === 'sample' ? day : null
    if (lastUseful !== null && lastUseful < today) return []
    return [{ key: kind, state: day < today ? 'done' : 'upcoming', date: day, deadline }]
  })
  return placeUndated(ofStages, [...ofStages, ...stated])
}

const ORDER: readonly ProjectDate['key'][] = [
  'draft',
  'hearing',
  'invitation',
  'bank_letter',
  'question',
  'papers',
  'submission',
  'sample',
  'winner',
  'appeal',
  'appeal_decision',
  'appeal_board',
  'contract',
]

function placeUndated(stages: readonly ProjectDate[], entries: readonly ProjectDate[]): ProjectDate[] {
  const line = entries
    .filter(({ date }) => date !== null)
    .toSorted((a, b) => (a.date! === b.date! ? 0 : a.date! < b.date! ? -1 : 1))
  for (const stage of stages) {
    if (stage.date !== null) continue
    const before = line.findLastIndex(({ key }) => ORDER.includes(key) && ORDER.indexOf(key) < ORDER.indexOf(stage.key))
    line.splice(before + 1, 0, stage)
  }
  return line
}
