import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createWatch } from './postgres-watch.ts'

test('a statement of which the answer is still being read goes on; one of which nothing comes is given up', async () => {
  // The database reports both as finished.
  const watch = createWatch(async (pids) => new Set(pids))
  let bytes = 0
  const [readLate, lost] = [vi.fn(), vi.fn()]
  const ends = [watch.sent(1, readLate, () => (bytes += 64_000)), watch.sent(2, lost, () => 100)]
  await vi.waitFor(() => expect(lost).toHaveBeenCalled(), { timeout: 5_000 })
  // It is checked again.
  await sleep(1_200)
  expect(readLate).not.toHaveBeenCalled()
  for (const end of ends) end(true)
  watch.stop()
})
