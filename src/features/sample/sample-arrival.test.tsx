import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { SampleArrival } from './sample-arrival.tsx'

afterEach(() => vi.unstubAllGlobals())

test('says how far the sample is, then that it is whole, and asks for everything anew on demand', async () => {
  let sample: { done: number; total: number } | undefined = { done: 2_500, total: 27_545 }
  vi.stubGlobal('fetch', async () => Response.json({ status: 'ok', sample }))
  const client = new QueryClient()
  const asked = vi.fn(async () => 'rows')
  client.setQueryDefaults(['report'], { queryFn: asked })
  await client.fetchQuery({ queryKey: ['report'] })
  render(
    <QueryClientProvider client={client}>
      <SampleArrival />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/2,500 จาก 27,545 โครงการ/)).toBeInTheDocument()
  sample = undefined
  await userEvent.click(await screen.findByRole('button', { name: 'แสดงทั้งหมด' }, { timeout: 10_000 }))
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  expect(client.getQueryState(['report'])?.isInvalidated).toBe(true)
})
