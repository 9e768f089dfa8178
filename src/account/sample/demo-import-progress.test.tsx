import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { DemoDataProgress } from '#contract/readiness.ts'
import { DemoImportProgress } from './demo-import-progress.tsx'

afterEach(() => vi.unstubAllGlobals())

test('shows the progress of the demo data, then completion, and reloads everything on request', async () => {
  let sample: DemoDataProgress | undefined = { done: 2_500, total: 27_545 }
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok', sample }))
  const client = new QueryClient()
  const fetchRows = vi.fn(async () => 'rows')
  client.setQueryDefaults(['report'], { queryFn: fetchRows })
  await client.fetchQuery({ queryKey: ['report'] })
  render(
    <QueryClientProvider client={client}>
      <DemoImportProgress />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/2,500 จาก 27,545 โครงการ/)).toBeInTheDocument()
  sample = undefined
  await userEvent.click(await screen.findByRole('button', { name: 'แสดงทั้งหมด' }, { timeout: 10_000 }))
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  expect(client.getQueryState(['report'])?.isInvalidated).toBe(true)
})

test('shows that the rest failed, never that it is complete', async () => {
  const sample: DemoDataProgress = { done: 2_500, total: 27_545, stopped: true }
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok', sample }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DemoImportProgress />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/มาไม่ครบ: 2,500 จาก 27,545 โครงการ/)).toBeInTheDocument()
  expect(screen.queryByText(/ครบแล้ว/)).not.toBeInTheDocument()
})
