import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DbUnavailable } from './db.ts'

/** A statement without an answer for this long is asked after; together with the question and the wait it stays below the two seconds of R48. */
const SILENT_MS = 500
const LOOK_EVERY_MS = 250
/** Between two questions, so that many slow statements cannot become a load of their own. */
const ASK_EVERY_MS = 500
/** How long the database may take for the question. */
export const ANSWER_WITHIN_MS = 700
/** A question whose time was up this much too late says that this machine is at its limit, and nothing of the database. */
const STARVED_MS = 150
/** What was found at work is left alone for so long. */
const TRUST_MS = 5_000
/** An answer that is on its way while the question is asked gets this long. */
const GRACE_MS = 300

/**
 * What the database says of its sessions: the process numbers of those that do nothing now, or that it does not have (any more). Rejects with
 * `DbUnavailable` when nobody is there, with anything else when somebody is who does not answer the question.
 */
export type AskIdle = (pids: readonly number[]) => Promise<ReadonlySet<number>>

export type Watch = {
  /**
   * Notes that a statement was sent; call the result at its end, and say whether the database was heard. `giveUp`: there will be no answer. `received`: bytes that
   * have come over its connection.
   */
  sent(pid: number | undefined, giveUp: (why: DbUnavailable) => void, received: () => number): (heard: boolean) => void
  /** The database was found silent and has not been heard since: whoever comes now is told so at once, and only the watch goes on asking. */
  isSilent(): boolean
  /** Whether a connection that was opened then (`performance.now()`) belongs to a time before the database was found silent. */
  isFromBefore(openedAt: number): boolean
  /** Nobody will use that server again: it is not asked any more whether it is back. */
  stop(): void
}

type Underway = {
  readonly pid: number | undefined
  readonly sentAt: number
  readonly giveUp: (why: DbUnavailable) => void
  readonly received: () => number
  trustedUntil: number
}

/**
 * Finds connections that broke without a word (half-open TCP, R48): a statement that is not answered is looked up over a new connection. A session
 * that the database knows to be idle, or not at all, never got it, or its answer is lost. When there is no answer to the question either, and nothing
 * was heard on any other connection meanwhile, the database is away, and whoever waits is told so. A statement that is only slow goes on.
 */
export function createWatch(askIdle: AskIdle): Watch {
  const underway = new Set<Underway>()
  let heardAt = 0
  let foundSilentAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let isAsking = false
  let isSilent = false
  let isStopped = false

  function look(): void {
    const now = performance.now()
    if (isAsking || now - askedAt < ASK_EVERY_MS) return
    const silent = [...underway].filter(({ sentAt, trustedUntil }) => now - sentAt > SILENT_MS && now > trustedUntil)
    if (silent.length === 0) return
    askedAt = now
    isAsking = true
    void ask(silent).finally(() => {
      isAsking = false
    })
  }

  async function ask(silent: readonly Underway[]): Promise<void> {
    const at = performance.now()
    try {
      const idle = await askIdle(silent.flatMap(({ pid }) => pid ?? []))
      const lost = silent.filter(({ pid }) => pid !== undefined && idle.has(pid))
      for (const statement of silent) if (!lost.includes(statement)) statement.trustedUntil = at + TRUST_MS
      if (lost.length === 0) return
      const received = new Map(lost.map((statement) => [statement, statement.received()]))
      await sleep(GRACE_MS)
      // A process that was starved meanwhile ends the sleep before it reads what arrived.
      await nextTurn()
      await nextTurn()
      // The database is idle as soon as its answer is on the way. A large one is read 64 kB a turn.
      tell(
        lost.filter((statement) => statement.received() === received.get(statement)),
        'the connection was lost without a word',
      )
    } catch (error) {
      // A refusal (too many connections, a wrong password by now) is an answer too, so the server is there.
      if (!(error instanceof DbUnavailable)) return
      // What arrived while this process was busy has not been read yet.
      await nextTurn()
      await nextTurn()
      if (heardAt > at || performance.now() - at > ANSWER_WITHIN_MS + STARVED_MS) return
      foundSilentAt = performance.now()
      isSilent = true
      void askUntilHeard()
      tell(
        [...underway].filter(({ sentAt }) => sentAt <= at),
        'the database does not answer',
      )
    }
  }

  async function askUntilHeard(): Promise<void> {
    while (isSilent && !isStopped) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false })
      isSilent = await askIdle([]).then(
        () => false,
        (error: unknown) => error instanceof DbUnavailable,
      )
    }
  }

  function tell(statements: readonly Underway[], why: string): void {
    for (const statement of statements) if (underway.has(statement)) statement.giveUp(new DbUnavailable(why))
  }

  return {
    sent(pid, giveUp, received) {
      const statement = { pid, sentAt: performance.now(), giveUp, received, trustedUntil: 0 }
      underway.add(statement)
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      return (heard) => {
        if (heard) {
          heardAt = performance.now()
          isSilent = false
        }
        underway.delete(statement)
        if (underway.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    isSilent: () => isSilent,
    isFromBefore: (openedAt) => openedAt < foundSilentAt,
    stop() {
      isStopped = true
    },
  }
}
