export type StoppableTask = { stop(): Promise<void> }

type RepeatedWork = {
  readonly everyMs: number
  readonly isLater?: boolean
  work(signal: AbortSignal): Promise<void>
  /** Called on the first failure, and again only after a success in between, so an outage is reported once. */
  onFailure(error: unknown): void
}

/** Runs the work at once (or after `everyMs` with `isLater`) and then repeatedly, never concurrently. */
export function runPeriodically({ everyMs, isLater = false, work, onFailure }: RepeatedWork): StoppableTask {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isFailing = false

  async function runOnce(): Promise<void> {
    try {
      await work(stopping.signal)
      isFailing = false
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) onFailure(error)
      isFailing = true
    }
  }
  function tick(): void {
    running ??= runOnce().finally(() => {
      running = undefined
    })
  }

  const timer = setInterval(tick, everyMs)
  if (!isLater) tick()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
