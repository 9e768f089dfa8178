import { setTimeout as sleep } from 'node:timers/promises'

/** Fixed response time, so that timing does not reveal the result (R20). */
const PADDED_MS = 150

export async function paddedTime<T>(work: () => Promise<T>): Promise<T> {
  const rest = sleep(PADDED_MS)
  try {
    return await work()
  } finally {
    await rest
  }
}
