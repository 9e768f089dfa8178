import { randomInt } from 'node:crypto'
import { secretHash } from '#server/platform/route/secret-token.ts'

/** Minutes that a code works; so does what LINE makes of it. */
export const CODE_MINUTES = 10

/** Without signs that are taken for one another. 31 of them eight times: 40 bits, for ten minutes. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.replace('I', '')
const LENGTH = 8

export const CONNECT_WORD = 'เชื่อมบัญชี'
export const GROUP_WORD = 'เชื่อมกลุ่ม'

/** `K7QF-2M9D`. */
export function newCode(): string {
  const signs = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]!).join('')
  return `${signs.slice(0, 4)}-${signs.slice(4)}`
}

/** What the database keeps of a code; of whom it is says its word, so that a code of a group connects no person. */
export const codeHash = (word: string, code: string) => secretHash(`${word} ${code.replace('-', '').toUpperCase()}`)

const SPOKEN = /(เชื่อมบัญชี|เชื่อมกลุ่ม)\s{0,5}([A-Za-z0-9]{4})[-\s]?([A-Za-z0-9]{4})(?![A-Za-z0-9])/

/** The code that somebody types into the chat. */
export function readCode(text: string): { readonly word: string; readonly code: string } | undefined {
  const [, word, first, second] = SPOKEN.exec(text) ?? []
  return word === undefined ? undefined : { word, code: `${first}-${second}` }
}
