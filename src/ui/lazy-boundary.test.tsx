import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { ErrorNotice } from './error-notice.tsx'
import { LazyBoundary, lazyPart } from './lazy-boundary.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const Chart = ({ title }: { title: string }) => <p>{title}</p>
const settled = () => act(() => vi.advanceTimersByTimeAsync(0))

test('isolates code that fails to load, and imports it again on "try again"', async () => {
  const load = vi.fn(async () => ({ Chart }))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const Lazy = lazyComponent(load, 'Chart')
  render(
    <>
      <p>ตาราง</p>
      <LazyBoundary fallback={<p>รอ</p>}>
        <Lazy title="กราฟ" />
      </LazyBoundary>
    </>,
  )
  expect(screen.getByText('รอ')).toBeVisible()
  const retry = await screen.findByRole('button', { name: 'ลองใหม่' })
  expect(screen.getByText('ตาราง')).toBeVisible()
  await userEvent.setup({ delay: null }).click(retry)
  expect(await screen.findByText('กราฟ')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
})

test('loads code that failed to preload when the part renders, without an error', async () => {
  const load = vi.fn(async () => ({ Chart }))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const Lazy = lazyComponent(load, 'Chart')
  await Lazy.preload()
  render(
    <LazyBoundary>
      <Lazy title="กราฟ" />
    </LazyBoundary>,
  )
  expect(await screen.findByText('กราฟ')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('renders loaded code at once, and keeps the state of a mounted part', async () => {
  const Counter = () => {
    const [count, setCount] = useState(0)
    return (
      <button type="button" onClick={() => setCount(count + 1)}>
        {count}
      </button>
    )
  }
  const Lazy = lazyComponent(async () => ({ Counter }), 'Counter')
  const page = (more: boolean) => (
    <LazyBoundary>
      <Lazy />
      {more && <Lazy />}
    </LazyBoundary>
  )
  const { rerender } = render(page(false))
  await userEvent.setup().click(await screen.findByRole('button', { name: '0' }))
  rerender(page(true))
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['1', '0'])
})

test('isolates a part that throws, and renders it again for another item', () => {
  let isBroken = true
  const Broken = () => {
    if (isBroken) throw new Error('no such column')
    return <p>แผง</p>
  }
  const page = (id: string) => (
    <>
      <nav>เมนู</nav>
      <LazyBoundary resetKey={id}>
        <Broken />
      </LazyBoundary>
    </>
  )
  const { rerender } = render(page('1'))
  expect(screen.getByRole('navigation')).toBeVisible()
  expect(screen.getByRole('alert')).toHaveTextContent('เปิดส่วนนี้ไม่สำเร็จ')
  isBroken = false
  rerender(page('2'))
  expect(screen.getByText('แผง')).toBeVisible()
})

test('fails silently for a part the user did not request, and retries by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const load = vi.fn(async () => ({ Chart }))
  load.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  const Part = lazyPart(load, 'Chart', { silent: true, fallback: <p>รอ</p> })
  render(<Part title="แถบ" />)
  expect(screen.getByText('รอ')).toBeVisible()
  await settled()
  expect(screen.queryByRole('alert')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText('แถบ')).toBeVisible()
})

test('keeps focus in its panel when the notice disappears on retry', async () => {
  const panel = (hasFailed: boolean) => (
    <section aria-label="แผง">
      {hasFailed ? <ErrorNotice title="โหลดไม่สำเร็จ" onRetry={() => undefined} /> : <p>กำลังโหลด</p>}
    </section>
  )
  const { rerender } = render(panel(true))
  screen.getByRole('button', { name: 'ลองใหม่' }).focus()
  rerender(panel(false))
  await act(async () => undefined)
  expect(screen.getByRole('region', { name: 'แผง' })).toHaveFocus()
})

test('keeps its notice, and the focus of its button, when the parent renders again', async () => {
  const Broken = () => {
    throw new Error('broken')
  }
  const part = (
    <LazyBoundary title="เปิดกราฟไม่สำเร็จ">
      <Broken />
    </LazyBoundary>
  )
  const { rerender } = render(<section>{part}</section>)
  const retry = await screen.findByRole('button', { name: 'ลองใหม่' })
  retry.focus()
  rerender(
    <section>
      <LazyBoundary title="เปิดกราฟไม่สำเร็จ">
        <Broken />
      </LazyBoundary>
    </section>,
  )
  expect(screen.getByRole('button', { name: 'ลองใหม่' })).toBe(retry)
  expect(retry).toHaveFocus()
})
