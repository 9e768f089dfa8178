import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ReportRow } from '#contract/report/report.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { reportRow } from '../../../test/report-row.ts'
import { ProjectFacts } from './project-facts.tsx'
import { ProjectRowDisplayContext } from './project-row-display-data.ts'

const ROW = reportRow({
  project_id: '69119271820',
  changes: [
    { field: 'submission_end_date', old: '2026-11-25', new: '2026-11-28', seen_at: '2026-11-21T02:00:00Z' },
    { field: 'winner_name', old: null, new: 'บริษัท ก จำกัด', seen_at: '2026-11-21T02:00:00Z' },
  ],
  name: 'ซื้อพร้อมติดตั้งระบบกล้องวงจรปิดภายในอาคารสำนักงานเขตจตุจักรพร้อมอุปกรณ์ครบชุด',
  matched_words: ['กล้องวงจรปิด'],
  matched_by: ['name', 'deptsub'],
  match_reasons: [{ list: 'include', word: 'กล้องวงจรปิด', group: null, terms: [] }],
  dept_name: 'กรุงเทพมหานคร',
  dept_sub_name: 'สำนักงานเขตจตุจักร',
  dept_province: 'กรุงเทพมหานคร',
  draft_discussion_end_date: '2026-11-23',
  winner_name: 'บริษัท ก จำกัด',
  winner_count: 1,
  winner_budget: 9_025_000,
  remark: 'ยื่นทางอิเล็กทรอนิกส์',
  attachments: [
    {
      name: 'TOR.pdf',
      url: 'https://process.gprocurement.go.th/tor.pdf',
      step: 'invited',
      published_date: '2026-11-20',
    },
  ],
  is_sme: true,
})

function setUp(change: Partial<ReportRow> = {}) {
  queryClient.setQueryData(organisationKeys.me, buildTestOrganisation({ is_company_compare: false }))
  render(
    <QueryClientProvider client={queryClient}>
      <ProjectRowDisplayContext
        value={{
          nameWords: [],
          deptWords: [],
          winnerWords: [],
          today: '2026-11-21',
          showsHidden: false,
          hrefOf: () => '/report/1',
          labelsOf: () => [{ id: 'cctv', name: 'งานกล้อง', color: 'sky' }],
        }}
      >
        <ProjectFacts row={{ ...ROW, ...change }} />
      </ProjectRowDisplayContext>
    </QueryClientProvider>,
  )
}
/** Returns the last fact of that name, because a change of the same field may be listed above it. */
const fact = (name: string) => screen.getAllByText(name, { selector: 'dt' }).at(-1)!.parentElement!

test('shows all deciding facts, and the full name with its watch word underlined', () => {
  setUp()
  const name = screen.getByRole('heading', { name: ROW.name })
  expect(within(name).getByText('กล้องวงจรปิด').tagName).toBe('U')
  expect(screen.getByText(ROW.project_id)).toBeInTheDocument()
  expect(fact('งบประมาณ')).toHaveTextContent('10,000,000.00')
  expect(fact('ราคากลาง')).toHaveTextContent('9,500,000.00▼ ต่ำกว่างบประมาณ 5.0%')
  expect(fact('วันสิ้นสุดยื่นข้อเสนอ')).toHaveTextContent('28 พ.ย. 2569เหลือ 7 วันเวลา 09:00-12:00 น.')
  expect(fact('สิ้นสุดวิจารณ์ร่าง')).toHaveTextContent('23 พ.ย. 2569เหลือ 2 วัน')
  expect(fact('ความเคลื่อนไหว')).toHaveTextContent('ประกาศเชิญชวน')
  expect(fact('วิธีจัดหา')).toHaveTextContent('e-biddingซื้อ')
  expect(fact('เกณฑ์การพิจารณา')).toHaveTextContent('เกณฑ์ราคา')
  expect(fact('ตรงเงื่อนไขเพราะ')).toHaveTextContent('ชื่อโครงการมีคำ ‘กล้องวงจรปิด’')
  expect(fact('ผู้ชนะ')).toHaveTextContent('บริษัท ก จำกัด')
  expect(fact('ราคาที่ชนะ')).toHaveTextContent('9,025,000.00▼ ลดจากราคากลาง 5.0%')
  expect(fact('หมายเหตุ')).toHaveTextContent('ยื่นทางอิเล็กทรอนิกส์')
  expect(screen.getByText(/สำนักงานเขตจตุจักร/, { selector: 'p' })).toHaveTextContent('กรุงเทพมหานคร · นนทบุรี')
  expect(screen.getByText('งานกล้อง')).toBeInTheDocument()
  expect(screen.getByRole('link', { name: /TOR\.pdf/ })).toHaveAttribute('rel', 'noopener noreferrer')
})

test('shows old and new value of a change, and only the new one if the old is unknown', () => {
  setUp()
  const changes = screen.getByRole('region', { name: 'สิ่งที่เปลี่ยน' })
  expect(changes).toHaveTextContent('วันสิ้นสุดยื่นข้อเสนอ เดิม 25 พ.ย. 2569 → เป็น 28 พ.ย. 2569')
  expect(changes).toHaveTextContent('ผู้ชนะ เป็น บริษัท ก จำกัด')
})

test('labels unknown values and omits what has not happened', () => {
  setUp({
    budget: null,
    estimate_budget: null,
    winner_name: null,
    winner_budget: null,
    remark: null,
    changes: [],
    attachments: [],
  })
  expect(fact('งบประมาณ')).toHaveTextContent('ไม่มีข้อมูล')
  expect(fact('เอกสารแนบ')).toHaveTextContent('ไม่มีข้อมูล')
  expect(screen.queryByText('ผู้ชนะ')).toBeNull()
  expect(screen.queryByText('หมายเหตุ')).toBeNull()
  expect(screen.queryByRole('region', { name: 'สิ่งที่เปลี่ยน' })).toBeNull()
})

test('shows no remaining days for a closed project', () => {
  setUp({ status: 'contract_created' })
  expect(fact('วันสิ้นสุดยื่นข้อเสนอ')).not.toHaveTextContent('เหลือ')
})

test('names 20 other winners out of 300', () => {
  setUp({ winner_count: 300, other_winners: Array.from({ length: 299 }, (_, at) => `บริษัท ${at} จำกัด`) })
  expect(fact('ผู้ชนะ')).toHaveTextContent('และอีก 299 ราย')
  expect(fact('ผู้ชนะ')).toHaveTextContent('บริษัท 19 จำกัดดูอีก 279 ราย')
})

test('lists the other winners below the first; people are counted but not named', () => {
  setUp({ winner_count: 4, other_winners: ['หจก. ข', 'บริษัท ค จำกัด'] })
  expect(fact('ผู้ชนะ')).toHaveTextContent('บริษัท ก จำกัดและอีก 3 รายหจก. ข, บริษัท ค จำกัด')
})

test('names amounts that the import left out as doubtful, and why the discount is measured against the budget', () => {
  const doubts = [{ kind: 'amount_too_low', field: 'ราคากลาง', value: '8,700' }] as const
  setUp({ estimate_budget: null, budget: 10_000_000, doubts: [...doubts] })
  expect(screen.getByText('น่าสงสัย')).toBeVisible()
  expect(screen.getByTitle(/ลดจากงบประมาณ เพราะราคากลางน่าสงสัย/)).toBeVisible()
})
