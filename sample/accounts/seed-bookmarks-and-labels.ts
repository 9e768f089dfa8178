import type { Label } from '#contract/account/label.ts'
import type { LabelColor } from '#contract/account/label-palette.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { getProvincesInRegion } from '#contract/thai/province.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import {
  findActiveProjects,
  findUsersWithoutMarksOrSavedFilters,
  insertProjectMarks,
} from '#server/account/organisation/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { SAMPLE_ORGANISATIONS } from './sample-organisations.ts'

const LABELS: readonly (Label & { color: LabelColor })[] = [
  { id: 'เตรียมยื่น-1', name: 'เตรียมยื่น', color: 'sky' },
  { id: 'รอราคาคู่ค้า-2', name: 'รอราคาคู่ค้า', color: 'amber' },
  { id: 'ไม่เข้าเกณฑ์-3', name: 'ไม่เข้าเกณฑ์', color: 'rose' },
]

const savedFilter = (
  id: string,
  filterName: string,
  isSend: boolean,
  address: Record<string, string>,
): SavedFilter => ({
  id,
  filterName,
  isSend,
  isStart: false,
  filterData: toFilterCriteria(parseReportSearch(address).search),
})
const FILTERS: readonly SavedFilter[] = [
  savedFilter('cctv-ภาคกลาง-1', 'CCTV ภาคกลาง', true, {
    project_name__in: 'กล้องวงจรปิด||CCTV',
    project_province__in: getProvincesInRegion('central').join('||'),
  }),
  savedFilter('งานระบบ-5-ล้าน-2', 'งานระบบ > 5 ล้าน', false, {
    project_name__in: 'พัฒนาระบบ||ระบบสารสนเทศ',
    project_budget__range: '5000000,',
  }),
  savedFilter('ยื่นภายใน-7-วัน-3', 'ยื่นภายใน 7 วัน', true, { submission_end_date__range: '@0,@7' }),
]

const PROJECTS_PER_USER = 10
const BOOKMARK_COUNT = 6
const FIRST_LABELLED_INDEX = 4

/**
 * Gives the users of the first demo organisation bookmarks and labels on projects of their report, and saved filters.
 * Skips users who already have any, and does nothing before the first matching. Call after matching. `today`: ISO date
 * in Bangkok.
 */
export async function seedBookmarksAndLabels(db: Db, today = getBangkokToday(new Date())): Promise<void> {
  await db.transaction(async (tx) => {
    const users = await findUsersWithoutMarksOrSavedFilters(tx, SAMPLE_ORGANISATIONS[0]!.code)
    for (const [userIndex, { userId, organisationId }] of users.entries()) {
      const projects = await findActiveProjects(tx, organisationId, {
        today,
        limit: PROJECTS_PER_USER,
        offset: userIndex * PROJECTS_PER_USER,
      })
      if (projects.length === 0) return
      await insertProjectMarks(tx, userId, {
        labels: LABELS,
        filters: FILTERS,
        bookmarks: projects.slice(0, BOOKMARK_COUNT),
        assignments: projects
          .slice(FIRST_LABELLED_INDEX)
          .map((projectId, index) => ({ projectId, labelId: LABELS[index % LABELS.length]!.id })),
      })
    }
  })
}
