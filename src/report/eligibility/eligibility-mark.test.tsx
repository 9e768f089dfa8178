import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { ProjectRowDisplayContext } from '#src/report/project-row/project-row-display-data.ts'
import { reportRow } from '../../../test/report-row.ts'
import { EligibilityLine, EligibilityMark } from './eligibility-mark.tsx'

const TENDER = reportRow({
  method: 'e_bidding',
  method_type: 'buy',
  movement: 'invited',
  status: 'in_progress',
  budget: 10_400_000,
  bidding_invite_date: '2026-11-10',
  submission_end_date: '2026-12-15',
})
const COMPANY = { bidder_kind: 'company', net_worth: 1 } as const

function show(answers: Partial<Qualifications> | undefined, row: ReportRow = TENDER) {
  const bidder = answers && { ...EMPTY_QUALIFICATIONS, ...answers }
  const display = {
    ...{ nameWords: [], deptWords: [], winnerWords: [], today: '2026-11-29', showsHidden: false },
    ...{ labelsOf: () => [], hrefOf: (id: string) => id, bidder },
  }
  return render(
    <ProjectRowDisplayContext value={display}>
      <EligibilityMark row={row} />
      <EligibilityLine row={row} />
    </ProjectRowDisplayContext>,
  )
}

test('states the verdict in words, and its reasons on hover and press', async () => {
  show({ ...COMPANY, net_worth: -1, credit_line: 2_000_000, credit_letter_on: '2026-11-20' })
  const mark = screen.getByRole('button', { name: 'ยื่นได้ไหม: ติด 1 เรื่อง' })
  expect(mark).toHaveAttribute('title', 'ขาดวงเงินสินเชื่อ 600,000 (ต้องมี 2.6 ล้าน)')
  expect(mark).toHaveTextContent('ติด 1 เรื่อง')
  await userEvent.click(mark)
  const panel = await screen.findByRole('dialog', { name: 'ยื่นได้ไหม' })
  expect(panel).toHaveTextContent('ขอหนังสือธนาคารอายุไม่เกิน 90 วัน')
  expect(panel).toHaveTextContent('ข้อ 12.4')
})

test('is quiet where the verdict is unknown, yet has a name', () => {
  show({ bidder_kind: 'company' })
  const mark = screen.getByRole('button', { name: 'ยื่นได้ไหม: ยังไม่รู้' })
  expect(mark.textContent).toBe('')
})

test('shows no mark before the kind of bidder is stated', () => {
  show({})
  expect(screen.queryByRole('button')).toBeNull()
})

test('one line has the verdict and the first reason', () => {
  const { container } = show(COMPANY)
  expect(container.querySelector('p')).toHaveTextContent('น่าจะยื่นได้ · มูลค่าสุทธิของกิจการเป็นบวก')
})

test.each([
  ['an awarded project', COMPANY, { ...TENDER, winner_announce_date: '2026-11-28' }],
  ['a closed project', COMPANY, { ...TENDER, submission_end_date: '2026-11-28' }],
  ['the demo, which has no qualifications', undefined, TENDER],
])('shows nothing for %s', (_, answers, row) => {
  expect(show(answers, row).container).toBeEmptyDOMElement()
})
