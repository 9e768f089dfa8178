import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'

/** Longest time that work on the remembered projects blocks the event loop. A request may wait 50 ms for another one. */
const SLICE_MS = 15

/**
 * Keeps a long computation from blocking the event loop, and ends it when the deadline of its request has passed. Call `yieldIfDue` often: it costs
 * nothing until the slice is used up.
 */
export class TimeSlice {
  #startedAt = performance.now()

  /** A promise to await when the slice is used up; undefined before. */
  yieldIfDue(): Promise<void> | undefined {
    return performance.now() - this.#startedAt < SLICE_MS ? undefined : this.#yield()
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop()
    this.#startedAt = performance.now()
  }
}
