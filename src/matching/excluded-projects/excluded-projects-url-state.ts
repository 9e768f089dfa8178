export type ExcludedProjectsUrlState = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const EXCLUDED_PROJECTS_PERIOD_OPTIONS = [7, 30, 'all'] as const

export function getExcludedProjectsPeriodLabel(days: ExcludedProjectsUrlState['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}
