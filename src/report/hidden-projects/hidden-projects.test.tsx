import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { filterVisibleReportRows } from '#src/report/pages/report/use-report-result.ts'
import { HiddenProjectsNotice } from './hidden-projects-notice.tsx'
import { HideProjectButton } from './hide-project-button.tsx'
import { setProjectsHidden } from './set-projects-hidden.ts'

describe('filterVisibleReportRows', () => {
  const rows = [{ project_id: '1' }, { project_id: '2' }, { project_id: '3' }]

  test('removes hidden rows at once, and unhidden ones in the hidden view', () => {
    expect(filterVisibleReportRows(rows, new Set(['2']), false)).toEqual([rows[0], rows[2]])
    expect(filterVisibleReportRows(rows, new Set(['2']), true)).toEqual([rows[1]])
  })

  test('returns the same list when nothing changed, to avoid a re-render', () => {
    expect(filterVisibleReportRows(rows, new Set(['9']), false)).toBe(rows)
    expect(filterVisibleReportRows(rows, new Set(['1', '2', '3']), true)).toBe(rows)
  })
})

describe('hiding', () => {
  let api: ReturnType<typeof startFakeUserApi>
  const news: ChangeNotice[] = []
  beforeEach(() => {
    api = startFakeUserApi(buildTestUser({ project_hidden: ['1'] }), true)
    news.length = 0
    setChangeNoticeListener((notice) => news.push(notice))
  })
  afterEach(stopFakeUserApi)

  test('reports the count, and undo keeps projects hidden that were hidden before', async () => {
    expect(await setProjectsHidden(['1', '2', '3'], true)).toBe(true)
    expect(api.user.project_hidden).toEqual(['1', '2', '3'])
    expect(news).toMatchObject([{ kind: 'done', text: 'ซ่อน 3 โครงการแล้ว' }])
    if (news[0]?.kind === 'done') news[0].undo?.()
    await vi.waitFor(() => expect(api.user.project_hidden).toEqual(['1']))
  })

  test('is toggled by a button on the row', async () => {
    const { rerender } = render(<HideProjectButton projectId="5" name="จ้างก่อสร้างถนน" isHidden={false} />)
    await userEvent.click(screen.getByRole('button', { name: 'ซ่อน จ้างก่อสร้างถนน' }))
    await vi.waitFor(() => expect(api.user.project_hidden).toEqual(['1', '5']))
    rerender(<HideProjectButton projectId="5" name="จ้างก่อสร้างถนน" isHidden />)
    await userEvent.click(screen.getByRole('button', { name: 'เลิกซ่อน จ้างก่อสร้างถนน' }))
    await vi.waitFor(() => expect(api.user.project_hidden).toEqual(['1']))
  })
})

describe('the notice', () => {
  test('is empty while nothing is hidden', () => {
    const { container } = render(<HiddenProjectsNotice count={0} showsHidden={false} change={vi.fn()} />)
    expect(container).toBeEmptyDOMElement()
  })

  test('links to the hidden projects and back', async () => {
    const change = vi.fn()
    const { rerender } = render(<HiddenProjectsNotice count={3} showsHidden={false} change={change} />)
    expect(screen.getByText(/คุณซ่อนไว้ 3/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'ดู โครงการที่ซ่อนไว้' }))
    expect(change).toHaveBeenLastCalledWith({ project_hidden: true, page: undefined })
    rerender(<HiddenProjectsNotice count={0} showsHidden change={change} />)
    await userEvent.click(screen.getByRole('button', { name: 'กลับไปรายงาน' }))
    expect(change).toHaveBeenLastCalledWith({ project_hidden: undefined, page: undefined })
  })
})
