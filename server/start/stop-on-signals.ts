import type { RunningServer } from './serve.ts'

/** npm passes Ctrl-C on to a child that the terminal has already told: that is one wish, not two. */
const SAME_WISH_MS = 500

const LOOK_FOR_PARENT_MS = 1_000

/**
 * SIGTERM and SIGINT stop the server in good order and exit with 0; a second one exits at once (R51). `withParent`: so does the end of
 * the process that started it, because npm, when it is told to stop, leaves its child running, and the data folder taken.
 */
export function stopOnSignals(server: RunningServer, { withParent }: { withParent: boolean }): void {
  let stoppingSince: number | undefined
  function onSignal(): void {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_WISH_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (!withParent) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (stoppingSince === undefined) onSignal()
  }, LOOK_FOR_PARENT_MS)
  watch.unref()
}
