import { expect, test } from 'vitest'
import { omitBidStates, parseReportSearch } from '../report/report-params.ts'
import { buildSavedQuestionParams, formatIgnoredBidStatesNotice, formatSavedQuestion } from './who-wins.ts'

const read = (flat: Record<string, string>) => parseReportSearch(flat).search
const OTHER = { market: 'true', project_name__in: 'กล้อง' }

test.each(['open', 'upcoming', 'awarded', 'closed', 'open||awarded', '<<open'])(
  'the winners query ignores the bid states %s',
  (states) => {
    const search = read({ ...OTHER, project_bidding__in: states })
    expect(omitBidStates(search)).toEqual(read(OTHER))
    expect(buildSavedQuestionParams(search)).toEqual(OTHER)
    expect(formatSavedQuestion(search, [])).toBe(formatSavedQuestion(read(OTHER), []))
  },
)

test('names the bid states that are not used', () => {
  const text = (states?: string) => formatIgnoredBidStatesNotice(read(states ? { project_bidding__in: states } : OTHER))
  expect(text()).toBeUndefined()
  expect(text('open')).toContain('ไม่ใช้ “เปิดรับข้อเสนอ” ที่เลือกไว้')
  expect(text('<<upcoming')).toContain('“ไม่ใช่กำลังจะมา”')
})
