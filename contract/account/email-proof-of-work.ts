/**
 * Proof of work for checking whether an address has an account, so that scanning a list of addresses is expensive. The
 * browser finds eight numbers that each give a SHA-256 starting with 11 zero bits. A proof is valid for one address and
 * at most half an hour. Sent as `work`: the time stamp and the numbers, separated by dots.
 */
/** Eight small puzzles vary less in total time than one large one. */
export const PROOF_OF_WORK_PUZZLE_COUNT = 8
export const PROOF_OF_WORK_ZERO_BITS = 11
const TIMESTAMP_STEP_MS = 10 * 60_000

export const toProofOfWorkTimestamp = (atMs: number): number => Math.floor(atMs / TIMESTAMP_STEP_MS)
/**
 * Returns the hash input of a puzzle without its trailing number. `addressHash` is the hex SHA-256 of
 * `normaliseProofOfWorkEmail`. Including the number, the input is at most 55 bytes, so SHA-256 processes a single block.
 */
export const buildProofOfWorkInput = (timestamp: number, puzzle: number, addressHash: string): string =>
  `${timestamp}:${puzzle}:${addressHash.slice(0, 24)}:`
export const normaliseProofOfWorkEmail = (email: string): string => email.trim().toLowerCase()
