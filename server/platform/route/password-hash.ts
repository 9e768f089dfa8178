import { hash, verify } from '@node-rs/argon2'
import { ProblemError } from './problem.ts'

/** OWASP's floor for argon2id (R1). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Hashes at once: one a thread of libuv's pool, 19 MiB each (R1). */
const AT_ONCE = 4
/** A login that would wait longer for its turn is told to come back (R1). */
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

/** argon2id in PHC form. Throws ProblemError `unavailable` after two seconds in the queue. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, COST))
}

let dummy: Promise<string> | undefined
function dummyHash(): Promise<string> {
  dummy ??= hash('no account has this password', COST)
  return dummy
}

/**
 * Whether the password is the one of this hash. Without a usable hash (unknown account, an account that nobody may log in to)
 * the same work is done against a dummy, so that the time tells nothing (R4).
 */
export async function passwordFits(password: string, passwordHash: string | undefined): Promise<boolean> {
  const usable = passwordHash !== undefined && PHC.test(passwordHash)
  const against = usable ? passwordHash : await dummyHash()
  const fits = await inTurn(() => verify(against, password))
  return fits && usable
}

/** Does the work of the first dummy hash ahead, so that the first unknown e-mail does not take twice as long. */
export async function warmPasswordHash(): Promise<void> {
  await dummyHash()
}

/** Whether a stored hash is weaker than today's cost and should be replaced at the next login (R1). */
export function isWeakHash(passwordHash: string): boolean {
  const match = PHC.exec(passwordHash)
  return !match || Number(match[1]) < COST.memoryCost || Number(match[2]) < COST.timeCost
}
