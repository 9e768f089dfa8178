/**
 * What a browser works out before it asks whether an address has an account, so that sweeping a list of addresses costs work: eight numbers, each of which makes a SHA-256 begin with 11 zero bits. Good for
 * one address and for half an hour at most. Sent beside the address as `work`: the time, then the numbers, by dots.
 */
/** Eight small riddles instead of a large one: how long they take together differs less. */
export const WORK_RIDDLES = 8
export const WORK_BITS = 11
const STAMP_MS = 10 * 60_000

/** The ten minutes in which a moment lies. */
export const workStamp = (atMs: number): number => Math.floor(atMs / STAMP_MS)
/** What is hashed for a riddle, but for the number at its end; `addressHash`: hex of SHA-256 over the address, small and without blanks around it. At most 55 bytes with the number: one block. */
export const riddleText = (stamp: number, riddle: number, addressHash: string): string =>
  `${stamp}:${riddle}:${addressHash.slice(0, 24)}:`
/** The address as it is hashed. */
export const workAddress = (email: string): string => email.trim().toLowerCase()
