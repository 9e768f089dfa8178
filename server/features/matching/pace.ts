import { yieldToOthers } from '#server/engine/deadline.ts'

/** Longest time that work on the remembered projects holds the event loop, of the 50 ms that a request may wait for another. */
const HOLD_MS = 15

/** Lets others run while a long computation goes on, and ends it when the time of its question is over. Call `rest` often: it costs nothing until the time is up. */
export class Pace {
  #since = performance.now()

  /** A promise to wait for when it is time to let others run. */
  rest(): Promise<void> | undefined {
    return performance.now() - this.#since < HOLD_MS ? undefined : this.#letOthersRun()
  }

  async #letOthersRun(): Promise<void> {
    await yieldToOthers()
    this.#since = performance.now()
  }
}
