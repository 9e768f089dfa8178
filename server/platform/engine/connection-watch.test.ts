import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createConnectionWatcher } from './connection-watch.ts'

test('waits while a result is still being read, and abandons a statement that receives no data', async () => {
  // The database reports the sessions of both statements as idle.
  const watch = createConnectionWatcher(async (pids) => new Set(pids))
  let bytes = 0
  const [readLate, lost] = [vi.fn(), vi.fn()]
  const ends = [watch.track(1, readLate, () => (bytes += 64_000)), watch.track(2, lost, () => 100)]
  await vi.waitFor(() => expect(lost).toHaveBeenCalled(), { timeout: 5_000 })
  // Wait long enough for another check.
  await sleep(1_200)
  expect(readLate).not.toHaveBeenCalled()
  for (const end of ends) end(true)
  watch.stop()
})
