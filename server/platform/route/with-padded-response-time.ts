import { setTimeout as sleep } from 'node:timers/promises'

/** Minimum response time, so that timing does not reveal the result (R20). */
const MIN_RESPONSE_MS = 150

export async function withPaddedResponseTime<T>(work: () => Promise<T>): Promise<T> {
  const padding = sleep(MIN_RESPONSE_MS)
  try {
    return await work()
  } finally {
    await padding
  }
}
