import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { ReportCardSection } from './report-card-section.tsx'

let network: ReturnType<typeof startFakeNetwork>
beforeEach(() => {
  queryClient.clear()
  network = startFakeNetwork(({ path }) => {
    if (path === 'report-cards') return { results: [] }
    if (path !== 'report-cards/file') return undefined
    return { saved: 12, unchanged: 3, problems: [{ line: 7, reason: 'ไม่มีเลขผู้เสียภาษี' }] }
  })
  startSession(buildTestSession())
})
afterEach(stopFakeNetwork)

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <ReportCardSection />
    </QueryClientProvider>,
  )

test('uploads the bytes of a file and lists each line that could not be used', async () => {
  show()
  expect(await screen.findByText('ยังไม่มีสมุดพกของบริษัทใด')).toBeVisible()
  await userEvent.upload(screen.getByLabelText('ไฟล์ CSV ของสมุดพก'), new File(['ก,ข'], 'x.csv', { type: 'text/csv' }))
  expect(await screen.findByText('บันทึก 12 บริษัท · เหมือนเดิม 3 · ใช้ไม่ได้ 1 บรรทัด')).toBeVisible()
  expect(screen.getByText('บรรทัดที่ 7: ไม่มีเลขผู้เสียภาษี')).toBeVisible()
  const { file } = network.to('report-cards/file')[0]!.body as { file: string }
  expect(new TextDecoder().decode(Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0)))).toBe('ก,ข')
})

test('refuses a large file before sending it', async () => {
  show()
  const large = new File([new Uint8Array(500_001)], 'x.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText('ไฟล์ CSV ของสมุดพก'), large)
  expect(await screen.findByRole('alert')).toHaveTextContent('แบ่งเป็นหลายไฟล์')
  expect(network.to('report-cards/file')).toEqual([])
})
