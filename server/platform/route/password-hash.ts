import { hash, verify } from '@node-rs/argon2'
import { ProblemError } from './problem.ts'

/** OWASP minimum for argon2id (R1). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Concurrent hashes: one per thread of libuv's pool, 19 MiB each (R1). */
const AT_ONCE = 4
/** A login that would queue longer is refused (R1). */
const LONGEST_WAIT_MS = 2000
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/

type Waiter = { start(): void; readonly giveUp: NodeJS.Timeout }
let running = 0
const waiting: Waiter[] = []

async function turn(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1
    return
  }
  await new Promise<void>((resolve, reject) => {
    const giveUp = setTimeout(() => {
      waiting.splice(waiting.indexOf(waiter), 1)
      reject(new ProblemError('unavailable', { retryAfterSeconds: 2 }))
    }, LONGEST_WAIT_MS)
    const waiter: Waiter = { start: resolve, giveUp }
    waiting.push(waiter)
  })
}

function endTurn(): void {
  const next = waiting.shift()
  if (!next) running -= 1
  else {
    clearTimeout(next.giveUp)
    next.start()
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await turn()
  try {
    return await work()
  } finally {
    endTurn()
  }
}

/** Returns an argon2id hash in PHC format. Throws ProblemError `unavailable` after two seconds in the queue. */
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
export async function passwordFits(password: string, passwordHash: string | undefined): Promise<boolean> {
  const usable = passwordHash !== undefined && PHC.test(passwordHash)
  const against = usable ? passwordHash : await dummyHash()
  const fits = await inTurn(() => verify(against, password))
  return fits && usable
}

/** Computes the dummy hash at startup, so that the first unknown e-mail does not take twice as long. */
export async function warmPasswordHash(): Promise<void> {
  await dummyHash()
}

/** True if a stored hash is weaker than the current cost and should be replaced at the next login (R1). */
export function isWeakHash(passwordHash: string): boolean {
  const match = PHC.exec(passwordHash)
  return !match || Number(match[1]) < COST.memoryCost || Number(match[2]) < COST.timeCost
}
