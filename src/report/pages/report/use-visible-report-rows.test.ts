import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { reportPage } from '../../../../test/report-page.ts'
import { reportRow } from '../../../../test/report-row.ts'
import { useVisibleReportRows } from './use-report-result.ts'

test('returns the same list for rows made stale by a new search, to avoid a re-render', () => {
  const page = reportPage({ results: [reportRow({ project_id: '1' }), reportRow({ project_id: '2' })] })
  const answered = { page, facets: undefined, isOld: false, isFetching: false, error: null, retry: () => undefined }
  const user = buildTestUser({ project_hidden: ['9'] })
  const { result, rerender } = renderHook(({ isOld }) => useVisibleReportRows({ ...answered, isOld }, {}, user), {
    initialProps: { isOld: false },
  })
  const before = result.current
  rerender({ isOld: true })
  expect(result.current).toBe(before)
})
