import type { Label } from '../account/label.ts'
import { findReportParam, type ReportParamNameOf, UNASSIGNED_FILTER_VALUE } from './report-params.ts'

export type ReportListFilterChoice = { readonly code: string; readonly th: string }
export type ReportListParamName = ReportParamNameOf<'list'>

const NO_LABEL_CHOICE: ReportListFilterChoice = { code: UNASSIGNED_FILTER_VALUE, th: 'ไม่มีป้าย' }

const NO_TEAM_LABEL_CHOICE: ReportListFilterChoice = { code: UNASSIGNED_FILTER_VALUE, th: 'ไม่มีป้ายทีม' }

export type TeamFilterNames = {
  readonly stages: readonly { readonly id: string; readonly name: string }[]
  readonly members: readonly { readonly id: number; readonly name: string }[]
  readonly labels: readonly { readonly id: string; readonly name: string }[]
}

/**
 * Labels belong to the user, stages and members to the organisation; the lists of stages and members are empty until
 * `team` is loaded.
 */
export function getReportListFilterChoices(
  name: ReportListParamName,
  labels: readonly Label[],
  team?: TeamFilterNames,
): readonly ReportListFilterChoice[] {
  if (name === 'pursuit_stage__in') {
    const stages = team?.stages.map(({ id: code, name: th }) => ({ code, th })) ?? []
    return [...stages, { code: UNASSIGNED_FILTER_VALUE, th: 'ไม่อยู่บนบอร์ด' }]
  }
  if (name === 'pursuit_owner__in') {
    const members = team?.members.map(({ id, name: th }) => ({ code: String(id), th })) ?? []
    return [...members, { code: UNASSIGNED_FILTER_VALUE, th: 'ไม่มีผู้ดูแล' }]
  }
  if (name === 'team_label__in')
    return [...(team?.labels.map(({ id: code, name: th }) => ({ code, th })) ?? []), NO_TEAM_LABEL_CHOICE]
  if (name === 'project_label__in') return [...labels.map(({ id, name: th }) => ({ code: id, th })), NO_LABEL_CHOICE]
  return findReportParam(name).choices ?? []
}

const MISSING_VALUE_TEXTS: Partial<Record<ReportListParamName, string>> = {
  project_label__in: 'ป้ายที่คุณไม่มี',
  team_label__in: 'ป้ายทีมที่ไม่มีแล้ว',
  pursuit_stage__in: 'ขั้นที่ไม่มีแล้ว',
  pursuit_owner__in: 'คนที่ไม่อยู่ในทีม',
}

/**
 * Returns the Thai name of a list filter value. For a label that the user does not have, a removed team label or stage,
 * or a former member, returns the text from `MISSING_VALUE_TEXTS`. Until `team` is loaded, team values get a generic
 * text. Other values are returned unchanged.
 */
export function getReportListFilterChoiceLabel(
  name: ReportListParamName,
  code: string,
  labels: readonly Label[],
  team?: TeamFilterNames,
): string {
  const choice = getReportListFilterChoices(name, labels, team).find((option) => option.code === code)
  if (choice) return choice.th
  if (team === undefined && findReportParam(name).owner === 'team') return 'ที่เลือกไว้'
  return MISSING_VALUE_TEXTS[name] ?? code
}
