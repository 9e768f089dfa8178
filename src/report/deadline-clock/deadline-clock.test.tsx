import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportRow } from '../../../test/report-row.ts'
import { AddToCalendarButton } from './add-to-calendar-button.tsx'
import { ProjectDeadlineCountdown } from './deadline-clock.tsx'

const NOW = new Date('2026-11-21T03:00:20Z')
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const card = () => screen.getByRole('region', { name: 'กำหนดเวลา' })

describe('the clock', () => {
  test('shows the days, the full date and the working days among them', () => {
    render(<ProjectDeadlineCountdown row={reportRow()} />)
    expect(screen.getByRole('heading')).toHaveTextContent('เหลือเวลายื่นข้อเสนอ')
    expect(card()).toHaveTextContent('7 วัน28 พ.ย. 2569 เวลา 09:00–12:00 น.ในนั้นเป็นวันทำการ 5 วัน')
  })

  test('updates every minute and switches to closed at the deadline', () => {
    render(
      <ProjectDeadlineCountdown row={reportRow({ submission_end_date: '2026-11-21', submission_time: '10:02' })} />,
    )
    expect(screen.getByText('2 นาที')).toBeInTheDocument()
    act(() => void vi.advanceTimersByTime(40_000))
    expect(screen.getByText('1 นาที')).toBeInTheDocument()
    act(() => void vi.advanceTimersByTime(60_000))
    expect(screen.getByRole('heading')).toHaveTextContent('ปิดรับแล้ว')
  })

  test('cites the rule for the date and lists no other date', () => {
    render(<ProjectDeadlineCountdown row={reportRow()} />)
    expect(card()).toHaveTextContent('ระเบียบกระทรวงการคลังฯ พ.ศ. 2560 ข้อ 54')
    expect(card().textContent?.match(/\d{1,2} \p{L}\.\p{L}\. 25\d\d/gu)).toHaveLength(1)
  })

  test('warns during a hearing that silence forfeits the appeal about the scope of work', () => {
    render(<ProjectDeadlineCountdown row={reportRow({ draft_discussion_end_date: '2026-11-25' })} />)
    expect(card()).toHaveTextContent('วิจารณ์ภายใน 25 พ.ย. 2569 มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้')
    expect(card()).toHaveTextContent('พ.ศ. 2568 ข้อ 3 (2)')
  })

  test('names no clause for methods other than e-bidding', () => {
    render(<ProjectDeadlineCountdown row={reportRow({ method: 'selective' })} />)
    expect(card()).toHaveTextContent('ตามประกาศของหน่วยงาน')
    expect(card()).not.toHaveTextContent('ระเบียบ')
  })

  test('counts nothing for a cancelled project', () => {
    render(<ProjectDeadlineCountdown row={reportRow({ status: 'project_cancelled' })} />)
    expect(screen.getByRole('heading')).toHaveTextContent('ยกเลิกแล้ว')
    expect(card().textContent).not.toMatch(/อีก|เหลือ/)
  })

  test('states that no date is published', () => {
    render(<ProjectDeadlineCountdown row={reportRow({ submission_end_date: null })} />)
    expect(card()).toHaveTextContent('e-GP ยังไม่เผยแพร่วันที่ของโครงการนี้')
  })

  test.each([
    ['2026-12-20', 'ในนั้นเป็นวันทำการ 18 วัน'],
    ['2027-01-05', 'คำนวณไว้ก่อนประกาศจริง'],
    ['2028-01-05', 'เป็นวันทำการประมาณ'],
  ])('describes the holidays up to %s: %s', (submission_end_date, note) => {
    render(<ProjectDeadlineCountdown row={reportRow({ submission_end_date })} />)
    expect(card()).toHaveTextContent(note)
    const notes = [...(card().textContent?.matchAll(/คำนวณไว้|ทำการประมาณ/g) ?? [])]
    expect(notes).toHaveLength(note.endsWith('18 วัน') ? 0 : 1)
  })
})

describe('the calendar button', () => {
  const files: { name: string; text: Promise<string> }[] = []
  beforeEach(() => {
    // Fake only the date, because userEvent uses timers between its events.
    vi.useRealTimers()
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
    files.length = 0
    let blob: Blob
    URL.createObjectURL = vi.fn((made: Blob) => {
      blob = made
      return 'blob:calendar'
    })
    URL.revokeObjectURL = vi.fn()
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ name: this.download, text: blob.text() })
    })
  })
  test('downloads a single date at once, as a file that names the project', async () => {
    render(<AddToCalendarButton row={reportRow({ submission_end_date: '2026-11-24', method: 'selective' })} />)
    await userEvent.click(screen.getByRole('button', { name: 'เพิ่มในปฏิทิน' }))
    expect(files.map(({ name }) => name)).toEqual(['69119000001-submission.ics'])
    const text = await files[0]!.text
    expect(text).toContain('DTSTART:20261124T020000Z\r\n')
    expect(text).toContain('UID:69119000001-submission@tamngan\r\n')
  })

  test('offers a choice among several dates', async () => {
    render(<AddToCalendarButton row={reportRow()} />)
    await userEvent.click(screen.getByRole('button', { name: 'เพิ่มในปฏิทิน' }))
    const items = await screen.findAllByRole('menuitem', { hidden: true })
    expect(items.map((item) => item.textContent)).toEqual([
      'ถามรายละเอียดวันสุดท้าย · 25 พ.ย. 2569 (คำนวณ)',
      'รับหรือซื้อเอกสารวันสุดท้าย · 27 พ.ย. 2569 (คำนวณ)',
      'สิ้นสุดยื่นข้อเสนอ · 28 พ.ย. 2569',
      'ส่งตัวอย่างหรือนำเสนองานวันสุดท้าย · 4 ธ.ค. 2569 (คำนวณ)',
    ])
    await userEvent.click(items[0]!)
    expect(files.map(({ name }) => name)).toEqual(['69119000001-question.ics'])
  })

  test('marks the saved date of a cancelled project as cancelled', async () => {
    const row = reportRow({ status: 'project_cancelled', movement: 'project_cancelled', method: 'selective' })
    render(<AddToCalendarButton row={row} />)
    await userEvent.click(screen.getByRole('button', { name: 'แก้เป็นยกเลิกในปฏิทิน' }))
    const text = await files[0]!.text
    expect(text).toContain('UID:69119000001-submission@tamngan\r\n')
    expect(text).toContain('STATUS:CANCELLED\r\n')
    expect(text).not.toContain('VALARM')
  })

  test('is hidden when no date is left', () => {
    const { container } = render(<AddToCalendarButton row={reportRow({ submission_end_date: '2026-11-12' })} />)
    expect(container).toBeEmptyDOMElement()
  })
})
