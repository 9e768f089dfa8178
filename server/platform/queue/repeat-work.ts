/** Repeating work; `stop` resolves when the current run has ended. */
export type Schedule = { stop(): Promise<void> }

type RepeatedWork = {
  readonly everyMs: number
  readonly isLater?: boolean
  /** Must stop when the signal aborts. */
  work(signal: AbortSignal): Promise<void>
  /** Called on the first failure, and again only after a success in between, so an outage is reported once. */
  failed(error: unknown): void
}

/** Runs the work at once (or after `everyMs` with `isLater`) and then repeatedly, never concurrently. */
export function repeatWork({ everyMs, isLater = false, work, failed }: RepeatedWork): Schedule {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isFailing = false

  async function once(): Promise<void> {
    try {
      await work(stopping.signal)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) failed(error)
      isFailing = true
    }
  }
  function look(): void {
    running ??= once().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(look, everyMs)
  if (!isLater) look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
