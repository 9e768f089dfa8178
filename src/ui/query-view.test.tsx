import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ProblemError } from '#src/lib/problem-error.ts'
import { combineQueries } from './combine-queries.ts'
import { QueryView } from './query-view.tsx'
import { SkeletonGroup } from './skeleton.tsx'

type Names = readonly string[]

const problem = (status: number, headers = {}, body = {}) =>
  new ProblemError({ status, statusText: '', headers: new Headers(headers) }, body)
const fault = () => problem(500, { 'x-request-id': 'req-7' })

function NameList({ load }: { load: () => Promise<Names> }) {
  const names = useQuery({ queryKey: ['names'], queryFn: load })
  return (
    <QueryView
      query={names}
      task="โหลดรายชื่อ"
      notesStale
      skeleton={<SkeletonGroup label="กำลังโหลดรายชื่อ">…</SkeletonGroup>}
      forbidden={<p>ไม่มีสิทธิ์</p>}
      notFound={<p>ไม่พบ</p>}
      isEmpty={(list) => list.length === 0}
      empty={<p>ยังไม่มีรายชื่อ</p>}
      frame={(state) => <main>{state}</main>}
    >
      {(list) => <p>{list.join(' ')}</p>}
    </QueryView>
  )
}

function show(load: () => Promise<Names>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <NameList load={load} />
    </QueryClientProvider>,
  )
  return { refetch: () => void client.refetchQueries() }
}

test('shows the skeleton in the frame, then the data without it', async () => {
  const response = Promise.withResolvers<Names>()
  show(() => response.promise)
  expect(screen.getByRole('main')).toHaveTextContent('กำลังโหลดรายชื่อ')
  response.resolve(['สมชาย', 'สมหญิง'])
  expect(await screen.findByText('สมชาย สมหญิง')).toBeVisible()
  expect(screen.queryByRole('main')).toBeNull()
  expect(screen.queryByRole('status')).toBeNull()
})

test('shows the reason and request id of a failure, and loads again on "try again"', async () => {
  const retried = Promise.withResolvers<Names>()
  const load = vi.fn(() => retried.promise).mockRejectedValueOnce(fault())
  show(load)
  expect(await screen.findByRole('alert')).toHaveTextContent('โหลดรายชื่อไม่สำเร็จ')
  expect(screen.getByRole('alert')).toHaveTextContent('รหัสอ้างอิง req-7')
  expect(screen.getByRole('main')).toContainElement(screen.getByRole('alert'))
  await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'ลองใหม่' }))
  expect(screen.getByRole('status')).toHaveTextContent('กำลังโหลดรายชื่อ')
  expect(screen.queryByRole('alert')).toBeNull()
  retried.resolve(['สมชาย'])
  expect(await screen.findByText('สมชาย')).toBeVisible()
})

test('shows the not-found screen after a 404', async () => {
  show(() => Promise.reject(problem(404)))
  expect(await screen.findByText('ไม่พบ')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('replaces loaded data after a 403', async () => {
  const load = vi.fn(async (): Promise<Names> => ['สมชาย'])
  const { refetch } = show(load)
  expect(await screen.findByText('สมชาย')).toBeVisible()
  load.mockRejectedValueOnce(problem(403))
  refetch()
  expect(await screen.findByText('ไม่มีสิทธิ์')).toBeVisible()
  expect(screen.getByRole('main')).toHaveTextContent('ไม่มีสิทธิ์')
  expect(screen.queryByText('สมชาย')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['a 404, so that nothing being read or typed is lost', problem(404)],
  ['a 403 that asks for a second factor', problem(403, {}, { code: 'second_factor_due' })],
])('keeps loaded data below a notice after %s', async (_, error) => {
  const load = vi.fn(async (): Promise<Names> => ['สมชาย'])
  const { refetch } = show(load)
  expect(await screen.findByText('สมชาย')).toBeVisible()
  load.mockRejectedValueOnce(error)
  refetch()
  expect(await screen.findByRole('alert')).toHaveTextContent('ที่เห็นเป็นของเดิม')
  expect(screen.getByText('สมชาย')).toBeVisible()
})

test('shows the empty screen for a response without rows', async () => {
  show(async () => [])
  expect(await screen.findByText('ยังไม่มีรายชื่อ')).toBeVisible()
})

test('keeps data below a notice when its refetch fails, and while it is retried', async () => {
  const retried = Promise.withResolvers<Names>()
  const load = vi.fn(() => retried.promise).mockResolvedValueOnce(['สมชาย'])
  const { refetch } = show(load)
  expect(await screen.findByText('สมชาย')).toBeVisible()
  load.mockRejectedValueOnce(fault())
  refetch()
  expect(await screen.findByRole('alert')).toHaveTextContent('โหลดรายชื่อใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม')
  expect(screen.getByText('สมชาย')).toBeVisible()
  const retry = screen.getByRole('button', { name: 'ลองใหม่' })
  await userEvent.setup({ delay: null }).click(retry)
  await vi.waitFor(() => expect(retry).toHaveAttribute('aria-busy', 'true'))
  expect(screen.getByText('สมชาย')).toBeVisible()
  retried.resolve(['สมหญิง'])
  expect(await screen.findByText('สมหญิง')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('states a missing right instead of a failure to retry when the view has no screen for it', () => {
  const error = problem(403, {}, { code: 'forbidden', non_field_errors: ['บัญชีของคุณไม่มีสิทธิ์ใช้ส่วนนี้'] })
  render(
    <QueryView query={{ data: undefined, error, isFetching: false, refetch: vi.fn() }} task="โหลดรายชื่อ">
      {() => null}
    </QueryView>,
  )
  expect(screen.getByText('บัญชีของคุณไม่มีสิทธิ์ใช้ส่วนนี้')).toBeVisible()
  expect(screen.getByText(/ติดต่อผู้ดูแลองค์กร/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})

test('keeps data without a notice when there is no title for it', () => {
  render(
    <QueryView query={{ data: 'สมชาย', error: fault(), isFetching: false, refetch: vi.fn() }} task="โหลดรายชื่อ">
      {(name) => <p>{name}</p>}
    </QueryView>,
  )
  expect(screen.getByText('สมชาย')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('combined queries have data once all have, and refetch only those that failed', () => {
  const names = { data: ['สมชาย'], error: null, isFetching: false, refetch: vi.fn() }
  const total = { data: undefined as number | undefined, error: fault(), isFetching: true, refetch: vi.fn() }
  const combined = combineQueries({ names, total })
  expect(combined).toMatchObject({ data: undefined, error: total.error, isFetching: true })
  combined.refetch()
  expect(names.refetch).not.toHaveBeenCalled()
  expect(total.refetch).toHaveBeenCalledOnce()
  expect(combineQueries({ names, total: { ...total, data: 3, error: null } }).data).toEqual({
    names: ['สมชาย'],
    total: 3,
  })
  // Still loading: the other query failed only to refetch.
  const old = { ...names, error: fault() }
  expect(combineQueries({ old, total: { ...total, error: null } })).toMatchObject({ data: undefined, error: null })
  expect(combineQueries({ old, total: { ...total, data: 3, error: null } }).error).toBe(old.error)
})
