import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/**
 * Maximum time for which work on the cached projects may block the event loop. One request should delay another by 50
 * ms at most.
 */
const SLICE_MS = 15

/**
 * Splits a long computation into slices that do not block the event loop, and aborts it at the request's deadline.
 * Call `yieldIfDue` often: it is free until the slice is used up.
 */
export class TimeSlicer {
  #startedAt = performance.now()

  yieldIfDue(): Promise<void> | undefined {
    return performance.now() - this.#startedAt < SLICE_MS ? undefined : this.#yield()
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop()
    this.#startedAt = performance.now()
  }
}
