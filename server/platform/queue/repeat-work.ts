/** Something that goes on until it is stopped; `stop` resolves when what was under way has ended. */
export type Schedule = { stop(): Promise<void> }

type RepeatedWork = {
  readonly everyMs: number
  /** Begins after the first wait, not at once. */
  readonly isLater?: boolean
  /** Aborts its own work when the signal says so. */
  work(signal: AbortSignal): Promise<void>
  /** Told once, and again only after the work has gone well in between: not every time while the database is away. */
  failed(error: unknown): void
}

/** Does the work at once, or `isLater`, and then again and again, never twice at a time. */
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
