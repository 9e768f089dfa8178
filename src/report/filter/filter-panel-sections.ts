import { findReportParam, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'

type Section = {
  readonly id: string
  readonly title: string
  readonly names: readonly ReportParamName[]
  readonly isOpen: boolean
}

const section = (name: ReportParamName, isOpen = false): Section => ({
  id: name,
  title: findReportParam(name).th,
  names: [name],
  isOpen,
})

/** Filter sections that are hidden in the demo, which has no team. */
export const TEAM_FILTER_SECTIONS: readonly string[] = ['pursuit', 'pursuit_owner__in', 'team_label__in']

export const FILTER_PANEL_SECTIONS: readonly Section[] = [
  section('project_change_status__in', true),
  { ...section('project_budget__range', true), title: 'งบประมาณ (บาท)' },
  section('project_province__in', true),
  section('submission_end_date__range', true),
  section('draft_discussion_end_date__range'),
  section('project_status__in'),
  section('project_movement__in'),
  section('project_method__in'),
  section('project_method_type__in'),
  section('project_criteria_for_consideration'),
  { id: 'marks', title: 'ดาวและป้ายกำกับ', names: ['project_bookmark', 'project_label__in'], isOpen: false },
  { id: 'pursuit', title: 'งานของทีม', names: ['pursuit_stage__in', 'pursuit_has_notes'], isOpen: false },
  section('team_label__in'),
  section('pursuit_owner__in'),
  { id: 'check_sme', title: 'สิทธิ SME', names: ['check_sme'], isOpen: false },
  section('project_province_dept_sub__in'),
  { ...section('project_estimate_budget__range'), title: 'ราคากลาง (บาท)' },
  { ...section('project_winner_budget__range'), title: 'ราคาที่ชนะ (บาท)' },
  section('draft_published_date__range'),
  section('bidding_invite_date__range'),
  section('winner_announce_date__range'),
  { ...section('ends_within'), title: 'สัญญาใกล้หมด' },
]

export function countActiveFilterValues({ names }: Pick<Section, 'names'>, search: ReportSearch): number {
  return names.reduce((sum, name) => {
    const value = search[name]
    if (value === undefined) return sum
    return sum + (typeof value === 'object' && 'values' in value ? value.values.length : 1)
  }, 0)
}
