import { hash, verify } from '@node-rs/argon2'
import { ProblemError } from './route-problem.ts'

/** The minimum cost that OWASP recommends for argon2id (R1). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Maximum concurrent hashes: one per thread of libuv's pool, 19 MiB each (R1). */
const MAX_CONCURRENT = 4
/** A login that would queue longer is refused (R1). */
const MAX_WAIT_MS = 2000
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

type Waiter = { start(): void; readonly timer: NodeJS.Timeout }
let running = 0
const waiting: Waiter[] = []

async function waitForTurn(): Promise<void> {
  if (running < MAX_CONCURRENT) {
    running += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(waiter), 1)
      reject(new ProblemError('unavailable', { retryAfterSeconds: 2 }))
    }, MAX_WAIT_MS)
    const waiter: Waiter = { start: resolve, timer }
    waiting.push(waiter)
  })
}

function endTurn(): void {
  const next = waiting.shift()
  if (!next) running -= 1
  else {
    clearTimeout(next.timer)
    next.start()
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await waitForTurn()
  try {
    return await work()
  } finally {
    endTurn()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

let dummy: Promise<string> | undefined
function dummyHash(): Promise<string> {
  dummy ??= hash('no account has this password', COST)
  return dummy
}

/**
 * Verifies a password. Without a usable hash (unknown account, login disabled) it verifies against a dummy, so that
 * timing reveals nothing (R4).
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isUsable = passwordHash !== undefined && PHC.test(passwordHash)
  const checkedHash = isUsable ? passwordHash : await dummyHash()
  const matches = await inTurn(() => verify(checkedHash, password))
  return matches && isUsable
}

/** Computes the dummy hash at startup, so that the first unknown e-mail does not take twice as long. */
export async function precomputeDummyPasswordHash(): Promise<void> {
  await dummyHash()
}

/** True if a stored hash is weaker than the current cost and should be replaced at the next login (R1). */
export function isWeakPasswordHash(passwordHash: string): boolean {
  const match = PHC.exec(passwordHash)
  return !match || Number(match[1]) < COST.memoryCost || Number(match[2]) < COST.timeCost
}
