import { randomInt } from 'node:crypto'
import { secretHash } from '#server/platform/route/secret-token.ts'

/** Validity of a code in minutes, the same as for LINE's link token. */
export const CODE_MINUTES = 10

/** No ambiguous characters. 31 characters, eight positions: 40 bits, valid for ten minutes. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.replace('I', '')
const CODE_LENGTH = 8

export const CONNECT_WORD = 'เชื่อมบัญชี'
export const GROUP_WORD = 'เชื่อมกลุ่ม'

export function newCode(): string {
  const signs = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('')
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}

/** Stored form of a code. Includes the command word, so that a group code cannot connect a person. */
export const codeHash = (word: string, code: string) => secretHash(`${word} ${code.replace('-', '').toUpperCase()}`)

const COMMAND = /(เชื่อมบัญชี|เชื่อมกลุ่ม)\s{0,5}([A-Za-z0-9]{4})[-\s]?([A-Za-z0-9]{4})(?![A-Za-z0-9])/

export function readCode(text: string): { readonly word: string; readonly code: string } | undefined {
  const [, word, first, second] = COMMAND.exec(text) ?? []
  return word === undefined ? undefined : { word, code: `${first}-${second}` }
}
