/** Thrown to a caller whose turn did not come in time. */
export class TurnTimeout extends Error {
  override readonly name = 'TurnTimeout'
}

/** First come, first served: one holder at a time. */
export type Turn = {
  /** Resolves with the function that gives the turn back. Rejects with `TurnTimeout` after `waitMs` (0: waits for ever). */
  take(waitMs: number): Promise<() => void>
}

type Waiter = { admit(): void }

export function createTurn(): Turn {
  const waiting: Waiter[] = []
  let taken = false

  function giveBackOnce(): () => void {
    let given = false
    return () => {
      if (given) return
      given = true
      const next = waiting.shift()
      if (next === undefined) taken = false
      else next.admit()
    }
  }

  function take(waitMs: number): Promise<() => void> {
    if (!taken) {
      taken = true
      return Promise.resolve(giveBackOnce())
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit() {
          clearTimeout(timer)
          resolve(giveBackOnce())
        },
      }
      const timer =
        waitMs === 0
          ? undefined
          : setTimeout(() => {
              waiting.splice(waiting.indexOf(waiter), 1)
              reject(new TurnTimeout(`no turn within ${waitMs} ms`))
            }, waitMs)
      waiting.push(waiter)
    })
  }

  return { take }
}
