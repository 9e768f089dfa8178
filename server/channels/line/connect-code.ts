import { randomInt } from 'node:crypto'
import { hashSecret } from '#server/platform/route/secret-token.ts'

/** Validity of a code in minutes, the same as for LINE's link token. */
export const LINE_CONNECT_CODE_LIFETIME_MINUTES = 10

/**
 * Omits ambiguous characters. Eight characters out of 31 give 40 bits, enough for a code that is valid for ten minutes.
 */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.replace('I', '')
const CODE_LENGTH = 8

export const LINE_CONNECT_COMMAND = 'เชื่อมบัญชี'
export const LINE_CONNECT_GROUP_COMMAND = 'เชื่อมกลุ่ม'

export function generateLineConnectCode(): string {
  const signs = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('')
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}

/**
 * Returns the stored form of a code. The hash includes the command word, so that a group code cannot connect a person.
 */
export const hashLineConnectCode = (word: string, code: string) =>
  hashSecret(`${word} ${code.replace('-', '').toUpperCase()}`)

const COMMAND = /(เชื่อมบัญชี|เชื่อมกลุ่ม)\s{0,5}([A-Za-z0-9]{4})[-\s]?([A-Za-z0-9]{4})(?![A-Za-z0-9])/

export function parseLineConnectCode(text: string): { readonly word: string; readonly code: string } | undefined {
  const [, word, first, second] = COMMAND.exec(text) ?? []
  return word === undefined ? undefined : { word, code: `${first}-${second}` }
}
