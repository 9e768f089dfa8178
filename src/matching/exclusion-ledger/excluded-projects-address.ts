export type ExcludedProjectsAddress = {
  readonly days: 7 | 30 | 'all'
  readonly word?: string | undefined
  readonly rescued?: boolean | undefined
  readonly page: number
}

export const EXCLUDED_PROJECTS_DAY_OPTIONS = [7, 30, 'all'] as const

export function excludedProjectsDaysLabel(days: ExcludedProjectsAddress['days']): string {
  return days === 'all' ? 'ทั้งหมดในรายงาน' : `${days} วันที่ผ่านมา`
}
