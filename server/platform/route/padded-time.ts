import { setTimeout as sleep } from 'node:timers/promises'

/** Answers that must not tell by their time what they found take this long (R20). */
const PADDED_MS = 150

/** Does the work and answers, or throws, no sooner than 150 ms after it began. */
export async function paddedTime<T>(work: () => Promise<T>): Promise<T> {
  const rest = sleep(PADDED_MS)
  try {
    return await work()
  } finally {
    await rest
  }
}
