import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DbUnavailableError } from './db.ts'

/**
 * Time without an answer after which a statement is checked. Together with the check and the grace period it stays
 * below the two seconds of R48.
 */
const SILENT_MS = 500
const POLL_INTERVAL_MS = 250
const MIN_PROBE_INTERVAL_MS = 500
export const CONNECTION_PROBE_TIMEOUT_MS = 700
/**
 * If the timer of a check fires late by this much, this machine is overloaded, and the missing answer proves nothing
 * about the database.
 */
const STARVED_MS = 150
/** Time for which a statement that was confirmed as running is not checked again. */
const TRUST_MS = 5_000
/** Grace period for an answer that is in transit during the check. */
const GRACE_MS = 300

/**
 * Queries the database for those of these sessions that are idle or no longer exist, and resolves to their backend
 * pids. Rejects with `DbUnavailableError` when the server does not respond, and with any other error when it refuses to
 * answer.
 */
export type IdleSessionFinder = (pids: readonly number[]) => Promise<ReadonlySet<number>>

export type ConnectionWatcher = {
  /**
   * Registers a sent statement. Call the returned function when the statement ends, passing whether the database
   * responded. `giveUp` is called when no answer will arrive. `received` returns the bytes received on the connection
   * so far.
   */
  track(
    pid: number | undefined,
    giveUp: (reason: DbUnavailableError) => void,
    received: () => number,
  ): (hasResponded: boolean) => void
  /**
   * True from the moment when the database was detected as silent until it responds again. Meanwhile new callers fail
   * at once, and only the watcher continues probing.
   */
  isSilent(): boolean
  /**
   * True if a connection opened at this time (`performance.now()`) is older than the last detected silence and may
   * therefore be broken.
   */
  predatesSilence(openedAt: number): boolean
  stop(): void
}

type PendingStatement = {
  readonly pid: number | undefined
  readonly sentAt: number
  readonly giveUp: (reason: DbUnavailableError) => void
  readonly received: () => number
  trustedUntil: number
}

/**
 * Detects silently broken connections (half-open TCP, R48). If a statement gets no answer, looks up its session over a
 * new connection. If the database reports the session as idle or missing, the statement never arrived or its answer was
 * lost. If the lookup gets no response either, and no other connection received anything meanwhile, the database is
 * down and all waiting callers fail. A statement that is merely slow continues.
 */
export function createConnectionWatcher(findIdleSessions: IdleSessionFinder): ConnectionWatcher {
  const pending = new Set<PendingStatement>()
  let respondedAt = 0
  let silentSince = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let probedAt = Number.NEGATIVE_INFINITY
  let isProbing = false
  let isSilent = false
  let isStopped = false

  function poll(): void {
    const now = performance.now()
    if (isProbing || now - probedAt < MIN_PROBE_INTERVAL_MS) return
    const silent = [...pending].filter(({ sentAt, trustedUntil }) => now - sentAt > SILENT_MS && now > trustedUntil)
    if (silent.length === 0) return
    probedAt = now
    isProbing = true
    void probe(silent).finally(() => {
      isProbing = false
    })
  }

  async function probe(silent: readonly PendingStatement[]): Promise<void> {
    const at = performance.now()
    try {
      const idle = await findIdleSessions(silent.flatMap(({ pid }) => pid ?? []))
      const lost = silent.filter(({ pid }) => pid !== undefined && idle.has(pid))
      for (const statement of silent) if (!lost.includes(statement)) statement.trustedUntil = at + TRUST_MS
      if (lost.length === 0) return
      const received = new Map(lost.map((statement) => [statement, statement.received()]))
      await sleep(GRACE_MS)
      // An overloaded process fires the timer before it reads arrived data, so run pending I/O first.
      await nextTurn()
      await nextTurn()
      // A session is reported as idle while its answer (64 kB chunks) is in transit, so wait before failing.
      failAll(
        lost.filter((statement) => statement.received() === received.get(statement)),
        'the connection was lost silently',
      )
    } catch (error) {
      // A refusal (too many connections, a changed password) is also a response, so the server is up.
      if (!(error instanceof DbUnavailableError)) return
      // Data that arrived while this process was busy has not been read yet, so run pending I/O first.
      await nextTurn()
      await nextTurn()
      if (respondedAt > at || performance.now() - at > CONNECTION_PROBE_TIMEOUT_MS + STARVED_MS) return
      silentSince = performance.now()
      isSilent = true
      void probeUntilResponse()
      failAll(
        [...pending].filter(({ sentAt }) => sentAt <= at),
        'the database does not answer',
      )
    }
  }

  async function probeUntilResponse(): Promise<void> {
    while (isSilent && !isStopped) {
      await sleep(MIN_PROBE_INTERVAL_MS, undefined, { ref: false })
      isSilent = await findIdleSessions([]).then(
        () => false,
        (error: unknown) => error instanceof DbUnavailableError,
      )
    }
  }

  function failAll(statements: readonly PendingStatement[], reason: string): void {
    for (const statement of statements) if (pending.has(statement)) statement.giveUp(new DbUnavailableError(reason))
  }

  return {
    track(pid, giveUp, received) {
      const statement = { pid, sentAt: performance.now(), giveUp, received, trustedUntil: 0 }
      pending.add(statement)
      timer ??= setInterval(poll, POLL_INTERVAL_MS).unref()
      return (hasResponded) => {
        if (hasResponded) {
          respondedAt = performance.now()
          isSilent = false
        }
        pending.delete(statement)
        if (pending.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    isSilent: () => isSilent,
    predatesSilence: (openedAt) => openedAt < silentSince,
    stop() {
      isStopped = true
    },
  }
}
