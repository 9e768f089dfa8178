import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { KeywordTermAdviceList } from '#contract/matching/term-advice.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { KeywordTermAdviceSection } from './term-advice-section.tsx'

const PATH = 'organisations/me/term-advice'
const NVR: KeywordTermAdviceList['additions'][number] = {
  keyword_id: 7,
  facet: 0,
  term: 'nvr',
  word: 'กล้องวงจรปิด',
  wanted: 3,
  monthly: 4.4,
  likely_right: 0.78,
  titles: [{ project_id: '67119000001', name: 'ซื้อเครื่องบันทึก NVR อาคาร 1' }],
}

function setUp(advice?: KeywordTermAdviceList) {
  startSession(buildTestSession())
  const network = startFakeNetwork(({ path }) => {
    if (path === PATH) return advice
    return path === 'organisations/me/keyword-terms' ? { engine: 'x', keywords: [] } : undefined
  })
  render(
    <QueryClientProvider client={queryClient}>
      <KeywordTermAdviceSection isLocked={false} exclude={() => Promise.resolve(true)} />
    </QueryClientProvider>,
  )
  return network
}
const row = () => screen.getByRole('button', { name: /^คำแนะนำสำหรับคำใกล้เคียง/ })

afterEach(() => {
  stopFakeNetwork()
  endSession('logout')
})

test('keeps its row while advice loads, counts it, and shows it on press', async () => {
  const network = setUp()
  expect(row()).toHaveTextContent('กำลังดู')
  await expect.poll(() => network.to(PATH)).toHaveLength(1)
  network.to(PATH)[0]!.answer({ advice: [], additions: [NVR] })
  await expect.poll(() => row().textContent).toMatch(/1$/)
  expect(screen.queryByRole('listitem', { name: 'nvr' })).not.toBeInTheDocument()
  await userEvent.click(row())
  expect(await screen.findByRole('listitem', { name: 'nvr' })).toBeVisible()
})

test('states that there is none, and when it comes', async () => {
  setUp({ advice: [], additions: [] })
  await expect.poll(() => row().textContent).toContain('ยังไม่มี')
  await userEvent.click(row())
  expect(screen.getByText(/^ระบบจะเสนอคำที่น่าเพิ่มหรือเลิกใช้/)).toBeVisible()
})

test('states that it failed, loads again on press, and offers a retry when that fails too', async () => {
  const network = setUp()
  const refuse = async (index: number) => {
    await expect.poll(() => network.to(PATH)).toHaveLength(index + 1)
    network.to(PATH)[index]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
  }
  await refuse(0)
  await expect.poll(() => row().textContent).toContain('โหลดไม่สำเร็จ')
  await userEvent.click(row())
  await refuse(1)
  expect(await screen.findByRole('alert')).toHaveTextContent('ทำรายการถี่เกินไป')
  expect(screen.getByRole('button', { name: 'ลองใหม่' })).toBeEnabled()
})
