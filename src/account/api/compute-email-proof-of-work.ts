import {
  buildProofOfWorkInput,
  normaliseProofOfWorkEmail,
  PROOF_OF_WORK_PUZZLE_COUNT,
  PROOF_OF_WORK_ZERO_BITS,
  toProofOfWorkTimestamp,
} from '#contract/account/email-proof-of-work.ts'

/** Fractional parts of the cube roots of the first 64 primes and the square roots of the first eight (FIPS 180-4). */
const [ROUNDS, START] = deriveConstants()

function deriveConstants(): [Uint32Array, Uint32Array] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0
  return [
    Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ]
}

const words = new Int32Array(64)
const rotateRight = (word: number, by: number) => (word >>> by) | (word << (32 - by))

/** Hand-written, because Web Crypto requires https and is asynchronous, which costs more than the hash itself. */
function addBlock(state: Int32Array, block: DataView, at: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = block.getInt32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const two = words[i - 2]!
    const fifteen = words[i - 15]!
    const low = rotateRight(fifteen, 7) ^ rotateRight(fifteen, 18) ^ (fifteen >>> 3)
    const high = rotateRight(two, 17) ^ rotateRight(two, 19) ^ (two >>> 10)
    words[i] = (words[i - 16]! + low + words[i - 7]! + high) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i += 1) {
    const first =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUNDS[i]! +
        words[i]!) |
      0
    const second = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

export function sha256(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 4, bytes.length * 8)
  const state = Int32Array.from(START)
  for (let at = 0; at < padded.length; at += 64) addBlock(state, view, at)
  return state
}

/** About 10 ms of a phone, so that typing is not blocked. */
const HASHES_PER_SLICE = 256

const hex = (state: Int32Array) => [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Computes the proof of work for an e-mail address, some 16,000 hashes. Rejects when aborted. */
export async function computeEmailProofOfWork(email: string, signal: AbortSignal, nowMs = Date.now()): Promise<string> {
  const timestamp = toProofOfWorkTimestamp(nowMs)
  const address = hex(sha256(normaliseProofOfWorkEmail(email)))
  const numbers: number[] = []
  for (let puzzle = 0; puzzle < PROOF_OF_WORK_PUZZLE_COUNT; puzzle += 1) {
    const input = buildProofOfWorkInput(timestamp, puzzle, address)
    let number = 0
    while (sha256(`${input}${number}`)[0]! >>> (32 - PROOF_OF_WORK_ZERO_BITS) !== 0) {
      number += 1
      if (number % HASHES_PER_SLICE !== 0) continue
      await pause()
      signal.throwIfAborted()
    }
    numbers.push(number)
  }
  return [timestamp, ...numbers].join('.')
}
